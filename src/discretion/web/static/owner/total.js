/**
 * All answers together: what they may reveal, what this device has spent, and the most it ever may.
 *
 * @typedef {import("./account.js").Account} Account
 */

import { DiscretionError, setLimit } from "../device/index.js";
import { meaning, revealed } from "../device/meaning.js";
import { accountIn } from "./account.js";
import { button, el, errorPlace, newId, say, showError } from "./elements.js";
import { messageFor } from "./problems.js";
import { counted, percent, sum, worst } from "./words.js";

const PAUSE = 500; // milliseconds without a change before a change is read out

/**
 * @param {import("./session.js").Session} session
 * @param {Account} first
 * @param {() => void} changed when there is another limit
 */
export function total({ plan, store, memory }, first, changed) {
  let account = first;
  const [summary, books] = [el("p"), el("p")];
  const error = errorPlace();
  error.tabIndex = -1;
  const spoken = el("p", { role: "status", class: "unseen" });
  const element = el(
    "section",
    { class: "total card", "aria-labelledby": "total" },
    el("h3", { id: "total" }, "All together"),
    summary,
    el("div", { role: "status" }, error),
    books,
    el(
      "p",
      { class: "note" },
      "A question that you answered here before is pointed out above if its name or its list of answers is the same. One that was renamed and has another list cannot be recognised.",
    ),
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
    },
    /** @param {[string, number][]} chosen names and levels */
    refresh(chosen) {
      say(summary, revealedBy(plan, chosen));
      say(books, bookOf(account, costOf(plan, chosen)));
      const short = chosen.length ? `All together: at most ${sureOf(revealed(plan, chosen))}.` : "";
      clearTimeout(timer);
      timer = window.setTimeout(() => say(spoken, short), PAUSE);
    },
    /** @param {string} text */
    fail: (text) => showError(error, text),
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
    const press = async () => {
      const hint = { control: input, hint: `${id}-note` };
      say(done, "");
      try {
        await setLimit(store, Number(input.value.trim() || NaN));
        account = await accountIn(store);
        await memory.refresh();
        showError(wrong, "", hint);
        say(done, `This device will never spend more than ${sum(account.limit ?? 0)}.`);
        changed();
      } catch (refused) {
        showError(wrong, messageFor(refused), hint);
        input.focus();
      }
    };
    return el(
      "details",
      {},
      el("summary", {}, "Set a limit for this device"),
      el(
        "div",
        { class: "field" },
        el("label", { for: id }, "Never spend more than"),
        input,
        wrong,
        el(
          "p",
          { class: "note", id: `${id}-note` },
          "It counts what is charged for all reports that this browser makes for this site, now and later: the sum of their levels, or more where a question says so. It can be lowered later, not raised.",
        ),
        button("Set this limit", press),
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
const sureOf = ({ sure, closed }, when = "") =>
  `${percent((closed ?? { sure }).sure)} sure${when}${closed ? ", but for what is sent openly" : ""}`;

/** @param {import("./session.js").Plan} plan @param {[string, number][]} chosen */
function revealedBy(plan, chosen) {
  if (!chosen.length) return "You share nothing so far, and nothing is sent.";
  const [[name, level]] = chosen;
  const [sums, cost] = [chosen.reduce((all, [, each]) => all + each, 0), costOf(plan, chosen)];
  const charged = cost === sums ? "" : ` and they are charged as ${sum(cost)}`;
  if (chosen.length < 2)
    return `You share one answer, at level ${sum(sums)}${charged.replace("they are", "it is")}. ${worst(meaning(plan, name, level))}`;
  return `You share ${chosen.length} answers; their levels add up to ${sum(sums)}${charged}. Answers say something about each other: whatever about you someone thought 50:50 before, she can be at most ${sureOf(revealed(plan, chosen), " of it after all of them")}.`;
}

/** @param {Account} account @param {number} adds what this report costs at most */
function bookOf({ spent, granted, limit }, adds) {
  const before = spent
    ? `This device has spent ${sum(spent)} here so far`
    : "This device has spent nothing here so far";
  const now = adds ? `; this report adds at most ${sum(adds)}.` : ".";
  const most = limit === undefined ? "" : ` Your limit is ${sum(limit)}.`;
  const other =
    limit !== undefined && granted > spent
      ? ` Towards it, earlier reports count ${sum(granted)}, as if every answer had been a new one.`
      : "";
  return before + now + most + other;
}

/** What a survey asks of the whole. @param {import("./session.js").Plan} plan */
export function rules({ least, policy, secret }) {
  const [one, two] = [policy.allowance(1), policy.allowance(2)];
  const each = one === two ? "" : " for each answer that you share";
  const sums = one < Infinity ? ` All levels may add up to ${sum(one)}${each}.` : "";
  return `Share at least ${counted(least, "answer")} to take part. The lower a level, the stronger it protects.${sums}${secret ? "" : " Your report says what you chose here, so choose whatever your answers are."}`;
}
