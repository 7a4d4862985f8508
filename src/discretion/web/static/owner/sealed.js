/**
 * Step 4: the sealed report as it is, sent and deleted as its owner likes, never drawn again.
 *
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("../device/state.js").Sealed} Sealed
 * @typedef {{element: HTMLElement, resume: () => Promise<void>, settled: () => Promise<void>}} View
 *   ``resume``: do again what was asked for and could not be done; ``settled``: when nothing is being done
 */

import { hex } from "../device/bytes.js";
import { roundsIn } from "../device/index.js";
import { want, wanted } from "./account.js";
import { button, download, el, fill, newId, say } from "./elements.js";
import { invitationField } from "./invitation.js";
import { texts } from "./language.js";
import { standing } from "./outcomes.js";
import { is, messageFor } from "./problems.js";
import { inWords } from "./sent.js";
import { clientOf } from "./session.js";
import { number } from "./words.js";

const GONE = ["deleted", "unknown"]; // what a withdrawal has come to where there is nothing left to delete

/**
 * One report, with what can be done about it.
 * @param {Session} session
 * @param {Sealed} first
 * @param {unknown} [problem] what is to be said about it
 * @returns {View}
 */
export function sealed(session, first, problem) {
  const words = texts.sealed;
  const { store, plan, survey, past } = session;
  const { round, report, receipt } = first;
  const whose = past || round !== survey.round ? words.ofRound(number(round)) : words.title;
  let notice = problem ? messageFor(problem) : "";
  let now = first;
  let working = Promise.resolve();
  let [asked, reason, busy, blocked] = [false, "", false, false];

  const state = el("p", { role: "status", class: "notice", tabindex: -1 }, notice);
  const send = button(words.send, () => void sending(), "main");
  const remove = button(words.remove, () => confirm(true));
  const what = el("p");
  const meant = el("div");
  const invite = invitationField();
  const unsent = el("p", { class: "note", hidden: true });
  const keep = button(words.keep, () => confirm(false));
  const sure = el(
    "div",
    { class: "confirm card", role: "group", "aria-label": words.sure, hidden: true },
    el("p", {}, words.sureNote),
    el(
      "p",
      { class: "actions" },
      button(words.yes, () => void deleting()),
      keep,
    ),
  );
  const proof = receiptOf(hex(receipt), round);
  const element = el(
    "div",
    { class: "sealed" },
    state,
    meant,
    what,
    el(
      "pre",
      { tabindex: 0, role: "region", dir: "ltr", "aria-label": words.bytes(whose) },
      new TextDecoder().decode(report),
    ),
    invite.element,
    unsent,
    el("p", { class: "actions" }, send, remove),
    sure,
    proof,
  );
  void refresh();
  return { element, resume, settled: () => working };

  /** Show what became of the report, or why that cannot be read. @param {string} [problem] */
  async function refresh(problem) {
    try {
      await reread(problem);
    } catch (error) {
      say(state, messageFor(error));
      send.hidden = remove.hidden = sure.hidden = true;
    }
  }

  async function reread(problem = "") {
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
    say(what, about(sendable)(report.length));
    say(state, [problem, notice, text].filter(Boolean).join(" "));
    send.hidden = !sendable;
    remove.hidden = !deletable;
    sure.hidden ||= !deletable;
    proof.hidden = (!asked && !now.sent) || GONE.includes(now.withdrawn ?? "");
    if (now.fate && !past && !meant.firstChild) fill(meant, inWords(plan, report));
    invite.element.hidden = !survey.token || Boolean(session.token) || !(sendable || deletable);
    unsent.hidden = !sendable || !others.length;
    say(unsent, words.others(others.map((each) => number(each.round))));
    if (lost) state.focus();
  }

  /** @param {boolean} sendable */
  function about(sendable) {
    if (sendable) return words.willBeSent;
    return now.fate ? words.wasSent : words.was;
  }

  /**
   * Do one thing at a time, and show what came of it.
   * @param {string} doing
   * @param {() => Promise<void>} work
   */
  function once(doing, work) {
    if (!busy) working = attempt(doing, work);
    return working;
  }

  /** @param {string} doing @param {() => Promise<void>} work */
  async function attempt(doing, work) {
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
    await once(words.sending, async () => {
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
    await once(words.deleting, withdraw);
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
    if (now.withdrawn === "kept") await once(words.asking, withdraw);
    else if (!past && !now.sent && asked && (await allAsked())) await once(words.sending, deliver);
  }

  /** Whether everything that an upload would send was meant to be sent. */
  async function allAsked() {
    const rounds = await wanted(store, plan.id);
    return (await roundsIn(store, plan.id)).every(
      (each) => each.sent || rounds.includes(each.round),
    );
  }
}

/** What proves a report to be hers, to copy or to save. @param {string} text @param {number} round */
function receiptOf(text, round) {
  const words = texts.sealed;
  const [id, file] = [newId("receipt"), `discretion-receipt-${round}.txt`];
  const area = el("textarea", {
    id,
    readonly: true,
    rows: 2,
    dir: "ltr",
    "aria-describedby": `${id}-note`,
    spellcheck: "false",
  });
  area.value = text;
  const done = el("span", { role: "status" });
  const copy = async () => {
    area.select();
    try {
      await navigator.clipboard.writeText(text);
      say(done, words.copied);
    } catch {
      say(done, words.selected);
    }
  };
  const save = () => {
    download(file, `${text}\n`, "text/plain");
    say(done, words.saved(file));
  };
  return el(
    "div",
    { class: "field receipt", hidden: true },
    el("label", { for: id }, words.receipt),
    area,
    el("p", { class: "note", id: `${id}-note` }, words.receiptNote(number(round))),
    el(
      "p",
      { class: "actions" },
      button(words.copy, () => void copy()),
      button(words.save, save),
      done,
    ),
  );
}
