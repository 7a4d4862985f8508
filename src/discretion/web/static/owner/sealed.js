/**
 * Step 4: the sealed report as it is, sent and deleted as its owner likes, never drawn again.
 *
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("../device/state.js").Sealed} Sealed
 * @typedef {{element: HTMLElement, resume: () => Promise<void>}} View ``resume``: do again what was
 *   asked for and could not be done
 */

import { hex } from "../device/bytes.js";
import { roundsIn } from "../device/index.js";
import { want, wanted } from "./account.js";
import { button, el, newId, say } from "./elements.js";
import { invitationField } from "./invitation.js";
import { standing } from "./outcomes.js";
import { is, messageFor } from "./problems.js";
import { clientOf } from "./session.js";
import { counted, number } from "./words.js";

/**
 * One report, with what can be done about it.
 * @param {Session} session
 * @param {Sealed} first
 * @param {string} [notice] what is to be said about it
 * @returns {View}
 */
export function sealed(session, first, notice = "") {
  const { store, plan, survey, past } = session;
  const { round, report, receipt } = first;
  const whose = past || round !== survey.round ? `Report of round ${round}` : "Your report";
  let now = first;
  let [asked, reason, busy, blocked] = [false, "", false, false];

  const state = el("p", { role: "status", class: "notice", tabindex: -1 }, notice);
  const send = button("Send", () => void sending(), "main");
  const remove = button("Delete my report", () => confirm(true));
  const what = el("p");
  const invite = invitationField();
  const doubt = el("p", { class: "note", hidden: true });
  const keep = button("Keep it", () => confirm(false));
  const sure = el(
    "div",
    { class: "confirm card", role: "group", "aria-label": "Delete my report?", hidden: true },
    el(
      "p",
      {},
      "Delete it for good? It cannot be drawn again, and you cannot take part in this round again. What it may have revealed stays counted as spent.",
    ),
    el(
      "p",
      { class: "actions" },
      button("Yes, delete it", () => void deleting()),
      keep,
    ),
  );
  const proof = receiptOf(hex(receipt), round);
  const element = el(
    "div",
    { class: "sealed" },
    state,
    what,
    el(
      "pre",
      { tabindex: 0, role: "region", "aria-label": `${whose}, byte for byte` },
      new TextDecoder().decode(report),
    ),
    invite.element,
    doubt,
    el("p", { class: "actions" }, send, remove),
    sure,
    proof,
  );
  void refresh();
  return { element, resume };

  /** Read what became of the report, and show it. @param {string} [problem] */
  async function refresh(problem = "") {
    const all = await roundsIn(store, plan.id);
    now = all.find((each) => each.round === round) ?? now;
    const rounds = await wanted(store, plan.id);
    asked = rounds.includes(round);
    const { text, sendable: can, deletable } = standing(now, asked, reason, blocked);
    const sendable = can && !past;
    const others = all.filter(
      (each) => each.round !== round && !each.sent && !rounds.includes(each.round),
    );
    const lost =
      (!sendable && document.activeElement === send) || sure.contains(document.activeElement);
    say(
      what,
      `${about(sendable)}, ${counted(report.length, "byte")}.${sendable ? " You can send it or delete it; it is not drawn again." : ""}`,
    );
    say(state, [problem, notice, text].filter(Boolean).join(" "));
    send.hidden = !sendable;
    remove.hidden = !deletable;
    sure.hidden ||= !deletable;
    proof.hidden = !asked && !now.sent;
    invite.element.hidden = !survey.token || Boolean(session.token) || !(sendable || deletable);
    doubt.hidden = !sendable || !others.length;
    say(
      doubt,
      `Sending takes along what you sealed before and did not send: the report of round ${others.map((each) => number(each.round)).join(", ")}. Delete that one first if it is to stay here.`,
    );
    if (lost) state.focus();
  }

  /** @param {boolean} sendable */
  function about(sendable) {
    if (sendable) return "This is all that will be sent";
    return now.fate ? "This is all that was sent" : "This was your report";
  }

  /**
   * Do one thing at a time, and show what came of it.
   * @param {string} doing
   * @param {() => Promise<void>} work
   */
  async function once(doing, work) {
    if (busy) return;
    busy = true;
    for (const each of [send, remove]) each.setAttribute("aria-disabled", "true");
    say(state, doing);
    let problem = "";
    notice = "";
    blocked = false;
    try {
      await work();
    } catch (error) {
      const token = is(error, "token_needed", "bad_token");
      reason = "";
      blocked = !is(error, "no_answer");
      if (token) session.token = undefined;
      if (token) invite.fail(messageFor(error));
      problem = token ? "" : messageFor(error);
    }
    busy = false;
    for (const each of [send, remove]) each.removeAttribute("aria-disabled");
    await refresh(problem);
  }

  async function sending() {
    await once("Sending…", async () => {
      session.token ||= invite.code();
      await want(store, plan.id, round);
      await deliver();
    });
    invite.focus();
  }

  async function deliver() {
    const deliveries = await clientOf(session).deliver();
    reason = deliveries.find((each) => each.round === round)?.reason ?? "";
    invite.fail("");
  }

  async function withdraw() {
    reason = (await clientOf(session).withdraw(round)).reason;
    invite.fail("");
  }

  async function deleting() {
    confirm(false);
    session.token ||= invite.code();
    await once("Deleting…", withdraw);
    if (remove.hidden) state.focus();
    invite.focus();
  }

  /** @param {boolean} open */
  function confirm(open) {
    if (busy) return;
    sure.hidden = !open;
    remove.setAttribute("aria-expanded", `${open}`);
    (open ? keep : remove).focus();
  }

  async function resume() {
    await refresh();
    if (now.withdrawn === "kept") await once("Asking again…", withdraw);
    else if (!past && !now.sent && asked && (await allAsked())) await once("Sending…", deliver);
  }

  /** Whether everything that an upload would send was meant to be sent. */
  async function allAsked() {
    const rounds = await wanted(store, plan.id);
    return (await roundsIn(store, plan.id)).every(
      (each) => each.sent || rounds.includes(each.round),
    );
  }
}

/** @param {string} text @param {number} round */
function receiptOf(text, round) {
  const id = newId("receipt");
  const area = el("textarea", {
    id,
    readonly: true,
    rows: 2,
    "aria-describedby": `${id}-note`,
    spellcheck: "false",
  });
  area.value = text;
  const done = el("span", { role: "status" });
  const copy = async () => {
    area.select();
    try {
      await navigator.clipboard.writeText(text);
      say(done, "Copied.");
    } catch {
      say(done, "It is selected: copy it with your keyboard.");
    }
  };
  return el(
    "div",
    { class: "field receipt", hidden: true },
    el("label", { for: id }, "Receipt"),
    area,
    el(
      "p",
      { class: "note", id: `${id}-note` },
      `Whoever shows it can have the report of round ${number(round)} deleted, and no other owner can. It stays in this browser; keep a copy if you may clear its data. Do not give it away.`,
    ),
    el(
      "p",
      { class: "actions" },
      button("Copy the receipt", () => void copy()),
      done,
    ),
  );
}
