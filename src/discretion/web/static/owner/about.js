/**
 * Step 1: what is asked, by whom, what for, how long it is kept, and who can learn what.
 *
 * @typedef {import("./session.js").Session} Session
 */

import { button, el, step } from "./elements.js";
import { asked } from "./fields.js";
import { called, contract, counted, isOpen, kept, linked, listed } from "./words.js";

/**
 * @param {Session} session
 * @param {() => void} next
 * @param {(Node | null)[]} more what stands at the end
 */
export function about({ survey, plan, names }, next, ...more) {
  const { asker, purpose, retention, round } = survey;
  const open = round !== null;
  const bare = names.filter((name) => isOpen(plan, name));
  return step(
    "What is asked",
    open ? 1 : null,
    el("ul", { class: "asked" }, ...names.map((name) => question(plan, name))),
    plan.sample
      ? el(
          "p",
          {},
          `This survey has ${counted(plan.offered.length, "question")}. Your device drew ${counted(names.length, "of them", "of them")} by chance; it will not be asked the others.`,
        )
      : null,
    el("p", {}, "You choose which of these to share, and how much each may reveal."),
    el(
      "dl",
      { class: "facts card" },
      ...fact("Who asks", asker || "Whoever runs this page did not say who they are."),
      ...fact("What for", purpose || "Whoever runs this page did not say what for."),
      ...fact("How long it is kept", kept(retention)),
    ),
    el("h3", {}, "What others can learn"),
    el("p", {}, "Whoever runs this survey, a hacker, an employer, a court:"),
    el(
      "dl",
      { class: "learn card" },
      ...fact(
        "Your exact answer",
        el("strong", {}, `No, never for certain${bare.length ? ", if it is protected" : ""}.`),
        " At the lightest levels, nearly.",
        bare.length > 0 &&
          ` Some answers to ${listed(bare.map((name) => `“${name}”`))} may be sent openly, as they are.`,
      ),
      ...fact(
        "A better guess",
        el(
          "strong",
          {},
          `Yes, at most as much as you choose${bare.length ? ", unless it is sent openly" : ""}.`,
        ),
        " The next step shows how much that is.",
      ),
      ...fact(
        "What you left out",
        el("strong", {}, "Yes."),
        plan.secret
          ? " How much each answer may reveal is not in the report."
          : " The report also says how much each answer may reveal.",
      ),
      ...(names.some((name) => linked(plan, name))
        ? fact(
            "Which report is yours",
            el("strong", {}, "Yes, for who knows your invitation code."),
            " Your report is made in a way that only this code gives, so that nobody can bend the result by choosing another.",
          )
        : []),
    ),
    el(
      "p",
      {},
      `Your device adds chance to your answers before anything leaves it. That happens in this page. ${bare.length ? "Unless it was sent openly, nobody" : "Nobody"} is told whether what was sent is your own answer.`,
    ),
    trust(),
    open
      ? el("p", { class: "actions" }, button("Choose what to share", next, "main"))
      : el("p", { class: "notice", role: "status" }, "No reports are taken at the moment."),
    ...more,
  );
}

/** @param {import("./session.js").Plan} plan @param {string} name */
const question = (plan, name) =>
  el(
    "li",
    {},
    el("strong", {}, called(plan, name)),
    ...plan
      .question(name)
      .parts.map((part, _, { length }) =>
        el("span", { class: "note" }, (length > 1 ? `${part}: ` : "") + asked(plan, part)),
      ),
    contract(plan, name) && el("span", { class: "note" }, contract(plan, name)),
  );

/** @param {string} term @param {import("./elements.js").Child[]} said */
const fact = (term, ...said) => [el("dt", {}, term), el("dd", {}, ...said)];

const trust = () =>
  el(
    "details",
    {},
    el("summary", {}, "How can I know that?"),
    el(
      "p",
      {},
      "You see your report, byte for byte, before you send it. Your browser's developer tools list every request of this page, and the code that runs in it. But whoever runs this page also brings you that code, and sees, as every website does, that your device was here. If you do not trust them with that, do not take part.",
    ),
  );
