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

import { adopt, DiscretionError, predecessor, report, roundsIn } from "../device/index.js";
import { movedOut } from "../device/moving.js";
import { before } from "../device/succession.js";
import { about, published } from "./about.js";
import { accountIn, earlierIn, former, outlive, remember } from "./account.js";
import { answering } from "./answering.js";
import { choosing, nothing, preset } from "./choosing.js";
import { button, el, show, step } from "./elements.js";
import { uninvited } from "./invitation.js";
import { load, texts } from "./language.js";
import { memory as memoryOf } from "./memory.js";
import { balanced } from "./presets.js";
import { is, messageFor } from "./problems.js";
import { rewording } from "./rewording.js";
import { outOfTurn } from "./rhythm.js";
import { sealed } from "./sealed.js";
import { begun, here, invitation, opened, clientOf, standingOf } from "./session.js";
import { heading, switcher } from "./switcher.js";
import { linked, number } from "./words.js";

const token = invitation();
/** @type {Pick<View, "resume" | "settled">[]} what is tried again when there is a network */
let views = [];
/** @type {import("./memory.js").Memory | undefined} */
let memory;
/** @type {() => unknown} show the same again, in another language */
let again = () => {};

addEventListener("online", () => void resume().catch(stopped));
await load();
switcher(reword);
void start();

async function resume() {
  for (const view of views) await view.resume();
}

/** All that is shown, in the language that was chosen. */
async function reword() {
  await Promise.all(views.map((view) => view.settled()));
  await memory?.reword();
  await again();
}

/**
 * Show a step, and how it is shown again; the focus stays where the language was chosen.
 * @param {() => HTMLElement} made
 * @param {boolean} [focus]
 */
function present(made, focus = true) {
  again = () => show(made(), false);
  show(made(), focus);
}

/** @param {string} [accept] the id of a changed plan that the owner takes */
async function start(accept) {
  try {
    const store = await opened();
    const file = await movedOut(store);
    if (file) return await away(store, file);
    memory ??= memoryOf(store, () => void start());
    await memory.refresh();
    try {
      const session = await begun(store, memory, token, accept);
      heading(session.plan);
      await ask(session, Boolean(accept));
    } catch (error) {
      if (!is(error, "plan_changed")) throw error;
      changed(store, /** @type {DiscretionError} */ (error));
    }
  } catch (error) {
    stopped(error);
  }
}

/** What is kept here was moved to a file. @param {Store} store @param {Uint8Array} file */
async function away(store, file) {
  views = [];
  memory?.hide();
  const { movedAway } = await import("./moving.js");
  present(() => movedAway(store, file, () => void start()));
}

/**
 * Where a plan words anew what was answered: whether it still asks the same.
 * @param {Session} session
 * @param {boolean} focus whether something was pressed
 */
async function ask(session, focus) {
  const { store, plan } = session;
  const old = (await sharing(session)).length ? undefined : await predecessor(plan, store);
  if (!old) return enter(session, focus);
  const same = async () => {
    await adopt(plan, store);
    await enter(session, true);
  };
  const go = { same: () => void same(), other: () => void enter(session, true) };
  return present(() => rewording(plan, old, go), focus);
}

/** The plans whose answers this one shares. @param {Session} session */
const sharing = ({ store, plan }) => store((tx) => before(tx, plan.id));

/** @param {Session} session @param {boolean} focus whether something was pressed */
async function enter(session, focus) {
  const { store, plan, survey, memory } = session;
  const rounds = await roundsIn(store, plan.id);
  const current = rounds.find(({ round }) => round === survey.round);
  if (current) return sent(session, current, undefined, focus);
  for (const id of await sharing(session))
    if ((await roundsIn(store, id)).some(({ round }) => round === survey.round))
      return halted(session, answered, focus);
  const invited = session.token ? await standingOf(session) : "open";
  if (invited !== "open") return halted(session, (early) => uninvited(plan, invited, early), focus);
  const turn = await outOfTurn(session, () => void enter(session, true));
  if (turn) return halted(session, turn, focus);
  const choices = nothing(session);
  const all = balanced(plan, session.names);

  const first = async (back = true) => {
    const early = await earlier(session);
    show(about(session, { next: begin, share: all && share }, early), back);
    again = () => first(false);
  };
  const share = () => {
    if (all) preset(choices, all);
    begin();
  };
  const begin = () => {
    void choose();
    void memory.ask(); // the browser may ask its owner: the page does not wait for that
  };
  const allowed = () => [...choices].filter(([, { open }]) => open).map(([name]) => name);
  const choose = async () => {
    const [account, before] = [await accountIn(store, session), await earlierIn(store, plan)];
    const next = (/** @type {import("../device/budget.js").Budget} */ budget) => answer(budget);
    present(() => choosing(session, choices, account, before, { back: () => void first(), next }));
  };
  const answer = (/** @type {import("../device/budget.js").Budget} */ budget) => {
    const given = {}; // nothing of it is kept when she goes back
    present(() =>
      answering(session, budget, given, {
        back: () => void choose(),
        seal: (answers) => seal(session, answers, budget, allowed()),
      }),
    );
  };
  await first(focus);
  return resume();
}

/**
 * Draw, charge and keep the report, and go on to it; else give what went wrong.
 * @param {Session} session
 * @param {import("./answering.js").Answers} answers
 * @param {import("../device/budget.js").Budget} budget
 * @param {string[]} allowOpen the questions whose open outputs the owner allows
 */
async function seal(session, answers, budget, allowOpen) {
  const { store, plan, survey } = session;
  const round = survey.round ?? 0;
  const needed = [...budget.levels.keys()].some((name) => linked(plan, name));
  let problem;
  try {
    if (needed) await clientOf(session).plan(); // a wrong invitation is refused before anything is drawn
    await report(plan, store, answers, budget, { round, token: session.token, allowOpen });
    await remember(store, plan, budget.levels.keys());
  } catch (error) {
    if (is(error, "token_needed", "bad_token")) session.token = undefined;
    if (!is(error, "other_record")) return error;
    problem = error;
  }
  const rounds = await roundsIn(store, plan.id);
  const current = rounds.find((each) => each.round === round);
  if (current) await sent(session, current, problem, true);
  return undefined;
}

/**
 * @param {Session} session
 * @param {Sealed} current
 * @param {unknown} problem
 * @param {boolean} focus
 */
async function sent(session, current, problem, focus) {
  const view = sealed(session, current, problem);
  const early = await earlier(session, current.round);
  views = [view, ...views];
  await session.memory.refresh();
  show(step(texts.sealed.title, 4, view.element, published(session.survey), early), focus);
  again = () => sent(session, current, problem, false);
  return resume();
}

/** The round has a report that was made before the plan was worded anew. @param {HTMLElement | null} early */
function answered(early) {
  early?.setAttribute("open", "");
  return step(texts.rewording.answered, null, el("p", {}, texts.rewording.answeredHow), early);
}

/**
 * Something stands in the way of a report.
 * @param {Session} session
 * @param {(early: HTMLElement | null) => HTMLElement} made
 * @param {boolean} focus
 */
async function halted(session, made, focus) {
  show(made(await earlier(session)), focus);
  again = () => halted(session, made, false);
  return resume();
}

/**
 * Reports of other rounds, and of plans that the collector had before.
 * @param {Session} session
 * @param {number} [current]
 */
async function earlier(session, current) {
  const { store, plan, address } = session;
  const others = (await former(store, address)).filter((id) => id !== plan.id);
  const found = [];
  for (const id of [plan.id, ...others]) {
    const past = id !== plan.id;
    const { round: named, roundBefore } = texts.page;
    for (const each of await roundsIn(store, id)) {
      if (!past && each.round === current) continue;
      const title = (past ? roundBefore : named)(number(each.round));
      found.push({ title, view: sealed({ ...session, plan: { ...plan, id }, past }, each) });
    }
  }
  views = found.map(({ view }) => view);
  if (!found.length) return null;
  return el(
    "details",
    {},
    el("summary", {}, texts.page.earlier(number(found.length))),
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
    present(() => step(texts.page.stopped, null, el("p", {}, texts.page.nothingSent)));
  const go = async () => {
    await outlive(store, here(), String(bound));
    await start(String(value));
  };
  present(
    () =>
      step(
        texts.page.changed,
        null,
        el("p", {}, texts.page.changedHow),
        el("p", {}, texts.page.changedDelete),
        el(
          "p",
          { class: "actions" },
          button(texts.page.stop, stop),
          button(texts.page.seeNow, () => void go()),
        ),
      ),
    false,
  );
}

/** @param {unknown} error */
function stopped(error) {
  const keeps = !is(error, "unreadable");
  views = [{ resume: start, settled: async () => {} }];
  present(
    () =>
      step(
        keeps ? texts.page.broken : texts.page.notKeeping,
        null,
        el("p", { class: "notice", role: "status" }, messageFor(error)),
        el("p", {}, keeps ? texts.page.notNow : texts.page.whyKeep),
        el("p", { class: "actions" }, button(texts.page.again, () => void start())),
      ),
    false,
  );
}
