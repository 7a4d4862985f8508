/**
 * All answers together: what they may reveal, what this device has spent, and the most it ever may.
 *
 * @typedef {import("./account.js").Account} Account
 */

import { DiscretionError, setLimit } from "../device/index.js";
import { meaning, revealed } from "../device/meaning.js";
import { accountIn } from "./account.js";
import { linkedAnswers } from "./applying.js";
import { button, el, errorPlace, fill, newId, say, showError } from "./elements.js";
import { texts } from "./language.js";
import { messageFor } from "./problems.js";
import { joined, mentioned, number, sum, sureOf, worst } from "./words.js";

const PAUSE = 500; // milliseconds without a change before a change is read out

/**
 * @param {import("./session.js").Session} session
 * @param {Account} first
 * @param {() => void} changed when there is another limit
 * @param {(focus: () => void) => void} lower take levels that fit
 */
export function total(session, first, changed, lower) {
  const { plan, store, memory } = session;
  let account = first;
  const [summary, books] = [el("p"), el("p")];
  const decided = el("div");
  const error = errorPlace();
  error.tabIndex = -1;
  const heading = el("h3", { id: "total", tabindex: -1 }, texts.total.title);
  const mend = button(texts.choosing.scale, () => lower(() => heading.focus()));
  mend.hidden = true;
  const spoken = el("p", { role: "status", class: "unseen" });
  const element = el(
    "section",
    { class: "total card", "aria-labelledby": "total" },
    heading,
    summary,
    decided,
    el("div", { role: "status" }, error),
    mend,
    books,
    el("p", { class: "note" }, texts.total.note),
    limiting(),
    spoken,
  );
  let timer = 0;

  return {
    element,
    /** Refuse what is above the owner's own limit. @param {[string, number][]} levels by name */
    check(levels) {
      const after = account.granted + costOf(plan, levels);
      if (account.limit !== undefined && levels.length && after > account.limit)
        throw new DiscretionError("over_limit", null, after, account.limit);
      for (const { rounds, level, granted } of levels.length ? account.windows : [])
        if (granted + costOf(plan, levels) > level)
          throw new DiscretionError("over_window", null, granted + costOf(plan, levels), { rounds, level });
    },
    /** @param {[string, number][]} chosen names and levels */
    refresh(chosen) {
      say(summary, revealedBy(plan, chosen));
      fill(decided, ...decidedBy(plan, chosen).map((words) => el("p", {}, words)));
      say(books, bookOf(account, costOf(plan, chosen)));
      const short = chosen.length ? texts.total.short(shortly(revealed(plan, chosen))) : "";
      clearTimeout(timer);
      timer = window.setTimeout(() => say(spoken, short), PAUSE);
    },
    /** @param {string} text @param {boolean} mends whether lower levels mend it */
    fail(text, mends) {
      showError(error, text);
      mend.hidden = !(text && mends);
    },
    focus: () => error.focus(),
  };

  /** A limit for good. */
  function limiting() {
    const [id, wrong] = [newId("limit"), errorPlace()];
    const done = el("p", { role: "status" });
    const input = el("input", {
      id,
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      "aria-describedby": `${id}-note`,
    });
    const over = el("input", { id: `${id}-rounds`, type: "number", min: 1, step: 1 });
    const press = async () => {
      const hint = { control: input, hint: `${id}-note` };
      say(done, "");
      try {
        const rounds = over.value ? Number(over.value) : undefined;
        const limit = await setLimit(store, Number(texts.typed(input.value.trim()) || NaN), rounds);
        account = await accountIn(store, session);
        await memory.refresh();
        showError(wrong, "", hint);
        say(done, rounds ? texts.total.isSetOver(sum(limit), number(rounds)) : texts.total.isSet(sum(limit)));
        changed();
      } catch (refused) {
        showError(wrong, messageFor(refused), hint);
        input.focus();
      }
    };
    return el(
      "details",
      {},
      el("summary", {}, texts.total.set),
      el(
        "div",
        { class: "field" },
        el("label", { for: id }, texts.total.most),
        input,
        wrong,
        el(
          "p",
          { class: "note", id: `${id}-note` },
          texts.total.mostNote,
        ),
        el("label", { for: over.id }, texts.total.over),
        over,
        button(texts.total.setIt, press),
        done,
      ),
    );
  }
}

/**
 * What answers at these levels are charged together.
 * @param {import("./session.js").Plan} plan
 * @param {[string, number][]} levels
 */
const costOf = (plan, levels) =>
  levels.reduce((all, [name, level]) => all + plan.question(name).cost(level), 0);

/** @param {import("../device/meaning.js").Revealed} revealed */
const shortly = (revealed) =>
  revealed.closed ? texts.total.sureOpen(sureOf(revealed)) : texts.total.sure(sureOf(revealed));

/** @param {import("./session.js").Plan} plan @param {[string, number][]} chosen */
function revealedBy(plan, chosen) {
  const say = texts.total;
  if (!chosen.length) return say.nothing;
  const [[name, level]] = chosen;
  const [sums, cost] = [chosen.reduce((all, [, each]) => all + each, 0), costOf(plan, chosen)];
  const charged = cost === sums ? "" : sum(cost);
  if (chosen.length < 2) return say.one(sum(sums), charged, worst(plan, name, meaning(plan, name, level)));
  const all = revealed(plan, chosen);
  const others = all.closed ? say.othersOpen : say.others;
  return joined(say.many(chosen.length, sum(sums), charged), others(sureOf(all)));
}

/** What answers reveal of one that decides whether they apply. @param {import("./session.js").Plan} plan @param {[string, number][]} chosen */
function decidedBy(plan, chosen) {
  const levels = new Map(chosen);
  return linkedAnswers(plan, [...levels.keys()]).map(([part, names]) => {
    const all = revealed(plan, names.map((name) => [name, levels.get(name) ?? 0]));
    const [question, ...others] = mentioned(plan, [part, ...names.filter((name) => name !== part).flatMap((name) => plan.question(name).parts)]);
    return texts.total.decides(question, others, sureOf(all));
  });
}

/** @param {Account} account @param {number} adds what this report costs at most */
function bookOf({ spent, granted, limit, windows }, adds) {
  const say = texts.total;
  return joined(
    spent ? say.spent(sum(spent)) : say.unspent,
    adds > 0 && say.adds(sum(adds)),
    limit !== undefined && say.limit(sum(limit)),
    limit !== undefined && granted > spent && say.granted(sum(granted)),
    ...windows.map((each) =>
      say.window(number(each.rounds), sum(each.level), sum(each.spent), sum(each.granted)),
    ),
  );
}
