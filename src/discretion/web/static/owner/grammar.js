/**
 * How a language writes numbers, counts and lists: what its texts are made with.
 *
 * @typedef {Partial<Record<Intl.LDMLPluralRule, string>> & {other: string}} Forms by plural; "#" is the number
 * @typedef {ReturnType<typeof grammar>} Grammar
 */

const GAPS = /(?<=\d)\s(?=\d{3})/g; // between thousands
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g; // Arabic and Persian ones

/**
 * @param {string} locale
 * @param {{sign?: string, direction?: "ltr" | "rtl"}} [own] ``sign``: what stands behind a number of per cent
 */
export function grammar(locale, { sign = "\u00a0%", direction = "ltr" } = {}) {
  const plurals = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 12 });
  const [all, any] = /** @type {const} */ (["conjunction", "disjunction"]).map(
    (type) => new Intl.ListFormat(locale, { type }),
  );
  const [days, clock] = /** @type {Intl.DateTimeFormatOptions[]} */ ([
    { dateStyle: "medium" },
    { timeStyle: "short" },
  ]).map((style) => new Intl.DateTimeFormat(locale, { ...style, timeZone: "UTC" }));
  const comma = numbers.format(0.5).includes(",");
  /** @param {number} value */
  const number = (value) => numbers.format(value);
  return {
    direction,
    number,
    /** @param {number} value */
    percent: (value) => number(value) + sign,
    /** @param {number} value @param {Forms} forms */
    count: (value, forms) =>
      (forms[plurals.select(value)] ?? forms.other).replace("#", number(value)),
    /** A date, by its days since 1970. @param {number} value */
    date: (value) => days.format(value * 86_400_000),
    /** A time of day, by its minutes. @param {number} value */
    time: (value) => clock.format(value * 60_000),
    /** All of them. @param {string[]} items */
    list: (items) => all.format(items),
    /** One of them. @param {string[]} items */
    either: (items) => any.format(items),
    /**
     * A number as it is typed in this language, with a point for its decimals; one that is written
     * in another way stays no number.
     * @param {string} text
     */
    typed: (text) => {
      const latin = text.replace(DIGITS, (digit) => `${digit.charCodeAt(0) & 15}`);
      const plain = latin.replace("٫", ".").replace(GAPS, "");
      return comma ? plain.replace(/[.,]/g, (mark) => (mark === "," ? "." : ",")) : plain;
    },
  };
}
