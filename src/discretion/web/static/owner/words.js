/**
 * What the page says about levels, questions and people, in plain words.
 *
 * People who read of lies or false answers choose worse (Bullek et al., CHI 2017): what is sent is
 * "another one, chosen by chance".
 *
 * @typedef {import("../device/plan.js").Plan} Plan
 * @typedef {import("../device/meaning.js").Meaning} Meaning
 */

/** @type {[number, string][]} the largest level, in thousandths of epsilon, of each name */
const NAMES = [
  [350, "Very strong"],
  [700, "Strong"],
  [1400, "Balanced"],
  [2800, "Light"],
  [5600, "Minimal"],
  [Infinity, "Hardly any"],
];
// People who report, with no protection, a share to two points: (1.96 / 0.02)^2 / 4; and a mean to a
// fiftieth of its range, with answers at the ends and in the middle: (1.96 / 0.02)^2 / 6.
const BARE_SHARE = 2401;
const BARE_MEAN = 1601;

/** How strong a level protects, by what it means and not by its place. @param {number} level */
export const strength = (level) => NAMES.filter(([most]) => level <= most)[0][1];

/** A number as people write it. @param {number} value */
export const number = (value) => value.toLocaleString("en", { maximumFractionDigits: 12 });

/** A level as it is added up. @param {number} level in thousandths */
export const sum = (level) => number(level / 1000);

/** @param {number} value */
export const percent = (value) => `${number(value)}\u00a0%`;

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) =>
  `${number(count)} ${count === 1 ? one : many}`;

/** Names as people list them. @param {string[]} items */
export const listed = (items) =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

/** What a question is called: a bundle by its parts. @param {Plan} plan @param {string} name */
export function called(plan, name) {
  const { parts } = plan.question(name);
  return parts.length > 1 ? `${listed(parts)}, together` : name;
}

/**
 * Whether the hash function of a question comes with the invitation.
 * @param {Plan} plan
 * @param {string} name
 */
export const linked = (plan, name) => !!plan.question(name).assigned;

/** An attribute as the plan states it. @param {Plan} plan @param {string} part @returns {any} */
export const stated = (plan, part) =>
  plan.document.attributes.find((/** @type {any} */ item) => item.name === part);

/**
 * The ranges of a number as pairs, the whole one first.
 * @param {Plan} plan
 * @param {string} part
 * @returns {[number, number][]}
 */
export function rangesOf(plan, part) {
  const { range, ranges = [], exponent } = stated(plan, part);
  const own = (/** @type {number} */ end) => Number(`${end}e${exponent}`);
  return [range, ...ranges].map(([low, high]) => [own(low), own(high)]);
}

/** @param {[number, number]} ends */
export const between = ([low, high]) => `${number(low)} to ${number(high)}`;

/**
 * The promise of a question whose answers are not all protected alike; nothing for any other one.
 * @param {Plan} plan
 * @param {string} name
 */
export function contract(plan, name) {
  const { mechanism, variant } = plan.question(name);
  return variant ? CONTRACTS[mechanism](stated(plan, name).mechanism[mechanism]) : "";
}

/** @type {Record<string, (stated: any) => string>} by mechanism */
const CONTRACTS = {
  idldp: () =>
    "Not all answers have the same protection: between two of them, the stronger protection counts.",
  uldp: ({ sensitive }) =>
    `Only ${listed(sensitive)} ${sensitive.length > 1 ? "are" : "is"} protected. Any other answer may be sent openly, as it is.`,
  metric: () =>
    "Not all answers have the same protection: answers that are near each other have more, answers that are far apart have less than the level says.",
};

/** Whether some answers to a question may be sent openly. @param {Plan} plan @param {string} name */
export const isOpen = (plan, name) => {
  const { law, menu } = plan.question(name);
  return !!law(menu[0]).open;
};

/** The answers to an open question that are protected. @param {Plan} plan @param {string} name */
export const sensitiveOf = (plan, name) => listed(stated(plan, name).mechanism.uldp.sensitive);

/**
 * How strongly an answer is protected, and at which level. A variant is named by what it is charged.
 * @param {Meaning} meaning
 * @param {number} level
 * @returns {[string, string]}
 */
export function protection({ cost, closed }, level) {
  const charged = cost === level ? "" : `, charged as ${sum(cost)}`;
  const whose = closed ? " of some answers only" : "";
  return [strength(cost), ` protection${whose} (level ${sum(level)}${charged})`];
}

/**
 * What becomes of an answer, for the sentence and the picture.
 * @param {Meaning} meaning
 * @returns {{kinds: [string, number][], text: string}}
 */
export function pictured({ sure, kept, also, form, count }) {
  if (form === "open") {
    const held = Math.min(Math.max(also ?? 0, 1), 99); // some are reported openly, and some are not
    return {
      kinds: [
        ["own", 100 - held],
        ["other", held],
      ],
      text: `Of 100 people with an answer that is not protected, ${100 - held} send it openly, as it is; ${held} send a protected one, chosen by chance. People with a protected answer always send a protected one.`,
    };
  }
  if (kept !== null && also !== null) {
    return {
      kinds: [
        ["chance", also],
        ["own", kept - also],
        ["other", 100 - kept],
      ],
      text: `A yes or no is sent for each possible answer. Of 100 people with your answer, ${kept} send a yes for it; of 100 people with another one, ${also} do as well, by chance. The large dots are the difference.`,
    };
  }
  if (kept === null) {
    const right = Math.ceil(sure);
    return {
      kinds: [
        ["chance", 50],
        ["own", right - 50],
        ["other", 100 - right],
      ],
      text: `Of 100 guesses between two answers, 50 are right by chance alone; with this answer at most ${right} on average. The large dots are what it adds.`,
    };
  }
  const own = Math.min(kept, 99); // no level sends the answer always
  const others = 100 - own;
  /** @type {Record<string, string>} */
  const texts = {
    one: `Of 100 people with your answer, ${own} send it; ${others} send another one, chosen by chance.`,
    set: `Of 100 people with your answer, ${own} send a set of ${count} answers that holds it; ${others} send a set without it, chosen by chance.`,
    group: `All answers are put into ${count} groups by chance, and one group is sent. Of 100 people with your answer, ${own} send the group that holds it; ${others} send another one, chosen by chance.`,
    near: `Of 100 people with your number, ${own} send one from the stretch around it; ${others} send one from elsewhere, chosen by chance. The stronger the protection, the wider the stretch.`,
  };
  return {
    kinds: [
      ["own", own],
      ["other", others],
    ],
    text:
      texts[count === 1 ? "one" : form] ??
      `Of 100 people with your answer, ${own} send a report that speaks for it.`,
  };
}

/**
 * The most that an answer can do to a guess.
 * @param {Meaning} meaning
 */
export function worst({ sure, closed, sensitive, form }) {
  const most = `someone who thought it 50:50 before can be at most ${percent((closed ?? { sure }).sure)} sure after.`;
  if (sensitive)
    return `Protected: ${listed(sensitive)}. Any other answer may be sent openly, as it is. If a protected one is sent, ${most}`;
  return `From this answer alone, ${most}${APART[form] ?? ""}`;
}

/** @type {Record<string, string>} where not all answers are protected alike */
const APART = {
  parts: " That is between the two answers that are told apart best; others are told apart less.",
  places: " That is between the two answers that are farthest apart; nearer ones are told apart less.",
};

/**
 * What a level brings to the result.
 * @param {number | null} people
 * @param {boolean} mean whether it is a number
 */
export function worth(people, mean) {
  if (people === null) return "";
  const what = mean ? "the average to ±2\u00a0% of its range" : "a share to ±2 points";
  const bare = mean ? BARE_MEAN : BARE_SHARE;
  return `If all chose this, about ${rounded(people)} people would show ${what}, 19 times in 20; with no protection ${rounded(bare)} would.`;
}

/** To two digits. @param {number} value */
const rounded = (value) => number(Number(value.toPrecision(2)));

/** How long reports are kept. @param {number} days */
export const kept = (days) =>
  days
    ? `Reports are removed ${counted(days, "day")} after their round is closed; the counts made from them stay.`
    : "Reports are kept until the people who sent them delete them.";
