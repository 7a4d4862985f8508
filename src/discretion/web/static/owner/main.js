/**
 * The owner's page: from what is asked to a report that is sent, one step after the other.
 *
 * Before a report is sealed, nothing that is chosen or answered is kept; afterwards the page shows
 * it again whenever it is opened.
 *
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./session.js").Store} Store
 * @typedef {import("./sealed.js").View} View
 * @typedef {import("../device/state.js").Sealed} Sealed
 */

import { DiscretionError, report, roundsIn } from "../device/index.js";
import { about } from "./about.js";
import { accountIn, earlierIn, former, outlive, remember } from "./account.js";
import { answering } from "./answering.js";
import { choosing, nothing } from "./choosing.js";
import { button, el, show, step } from "./elements.js";
import { memory as memoryOf } from "./memory.js";
import { is, messageFor } from "./problems.js";
import { sealed } from "./sealed.js";
import { begun, here, invitation, opened, clientOf } from "./session.js";
import { linked } from "./words.js";

const token = invitation();
/** @type {Pick<View, "resume">[]} what is tried again when there is a network */
let views = [];
/** @type {import("./memory.js").Memory | undefined} */
let memory;

addEventListener("online", () => void resume());
void start();

async function resume() {
  for (const view of views) await view.resume();
}

/** @param {string} [accept] the id of a changed plan that the owner takes */
async function start(accept) {
  try {
    const store = await opened();
    memory ??= memoryOf(store, () => void start());
    await memory.refresh();
    try {
      const session = await begun(store, memory, token, accept);
      await enter(session, Boolean(accept));
    } catch (error) {
      if (!is(error, "plan_changed")) throw error;
      changed(store, /** @type {DiscretionError} */ (error));
    }
  } catch (error) {
    stopped(error);
  }
}

/** @param {Session} session @param {boolean} focus whether something was pressed */
async function enter(session, focus) {
  const { store, plan, survey, memory } = session;
  const rounds = await roundsIn(store, plan.id);
  const current = rounds.find(({ round }) => round === survey.round);
  if (current) return sent(session, current, "", focus);
  const choices = nothing(session);
  const early = await earlier(session);

  const first = (back = true) =>
    show(
      about(session, begin, early),
      back,
    );
  const begin = () => {
    void choose();
    void memory.ask(); // the browser may ask its owner: the page does not wait for that
  };
  const allowed = () => [...choices].filter(([, { open }]) => open).map(([name]) => name);
  const choose = async () =>
    show(
      choosing(session, choices, await accountIn(store), await earlierIn(store, plan), {
        back: first,
        next: (budget) =>
          show(
            answering(session, budget, {
              back: () => void choose(),
              seal: (answers) => seal(session, answers, budget, allowed()),
            }),
          ),
      }),
    );
  first(focus);
  return resume();
}

/**
 * Draw, charge and keep the report, and go on to it; else say what went wrong.
 * @param {Session} session
 * @param {import("./answering.js").Answers} answers
 * @param {import("../device/budget.js").Budget} budget
 * @param {string[]} allowOpen the questions whose open outputs the owner allows
 */
async function seal(session, answers, budget, allowOpen) {
  const { store, plan, survey } = session;
  const round = survey.round ?? 0;
  const needed = [...budget.levels.keys()].some((name) => linked(plan, name));
  let notice = "";
  try {
    if (needed) await clientOf(session).plan(); // a wrong invitation is refused before anything is drawn
    await report(plan, store, answers, budget, { round, token: session.token, allowOpen });
    await remember(store, plan, budget.levels.keys());
  } catch (error) {
    if (is(error, "token_needed", "bad_token")) session.token = undefined;
    if (!is(error, "other_record")) return messageFor(error);
    notice = messageFor(error);
  }
  const rounds = await roundsIn(store, plan.id);
  const current = rounds.find((each) => each.round === round);
  if (current) await sent(session, current, notice, true);
  return "";
}

/**
 * @param {Session} session
 * @param {Sealed} current
 * @param {string} notice
 * @param {boolean} focus
 */
async function sent(session, current, notice, focus) {
  const view = sealed(session, current, notice);
  const early = await earlier(session, current.round);
  views = [view, ...views];
  await session.memory.refresh();
  show(step("Your report", 4, view.element, early), focus);
  return resume();
}

/**
 * Reports of other rounds, and of plans that the collector had before.
 * @param {Session} session
 * @param {number} [current]
 */
async function earlier(session, current) {
  const { store, plan, address } = session;
  const before = (await former(store, address)).filter((id) => id !== plan.id);
  const found = [];
  for (const id of [plan.id, ...before]) {
    const past = id !== plan.id;
    for (const each of await roundsIn(store, id)) {
      if (!past && each.round === current) continue;
      const title = `Round ${each.round}${past ? ", of the survey as it was before" : ""}`;
      found.push({ title, view: sealed({ ...session, plan: { ...plan, id }, past }, each) });
    }
  }
  views = found.map(({ view }) => view);
  if (!found.length) return null;
  return el(
    "details",
    {},
    el("summary", {}, `Your earlier reports (${found.length})`),
    ...found.map(({ title, view }) => el("section", {}, el("h3", {}, title), view.element)),
  );
}

/**
 * Another plan than the one that was seen first.
 * @param {Store} store
 * @param {DiscretionError} error
 */
function changed(store, { value, bound }) {
  const stop = () =>
    show(
      step(
        "You have stopped here",
        null,
        el("p", {}, "Nothing was sent. You can close this page."),
      ),
    );
  const go = async () => {
    await outlive(store, here(), String(bound));
    await start(String(value));
  };
  show(
    step(
      "The survey has changed",
      null,
      el(
        "p",
        {},
        "What is asked, or how it is protected, is not what it was when you were here first. What you agreed to then does not cover this. You can look at what is asked now and choose anew, or stop. What you have spent stays spent.",
      ),
      el("p", {}, "If you go on, you can also delete a report that you sent before."),
      el(
        "p",
        { class: "actions" },
        button("Stop here", stop),
        button("See what is asked now", () => void go()),
      ),
    ),
    false,
  );
}

/** @param {unknown} error */
function stopped(error) {
  const keeps = !is(error, "unreadable");
  views = [{ resume: start }];
  show(
    step(
      keeps ? "This page cannot go on" : "This page cannot keep anything here",
      null,
      el("p", { class: "notice", role: "status" }, messageFor(error)),
      el(
        "p",
        {},
        keeps
          ? "Nothing was sent just now."
          : "It needs to keep count of what you have revealed, so that you never reveal more than you choose. A private window may be the reason: try a normal one. Nothing was sent.",
      ),
      el(
        "p",
        { class: "actions" },
        button("Try again", () => void start()),
      ),
    ),
    false,
  );
}
