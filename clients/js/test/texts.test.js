/** The texts of the owner's page: every language says all that English does, and nothing else. */

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import texts from "../../../src/discretion/web/static/owner/texts/en.js";
import { grammar } from "../../../src/discretion/web/static/owner/grammar.js";

/** @type {import("../../../src/discretion/web/static/owner/texts/en.js").Texts} */
const english = /** @type {any} */ (texts);
const FOLDER = new URL("../../../src/discretion/web/static/owner/texts/", import.meta.url);
const others = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.replace(".js", ""))
  .filter((tag) => tag !== "en");

/** @param {string} tag */
const textsIn = async (tag) => (await import(/* @vite-ignore */ `${new URL(`${tag}.js`, FOLDER)}`)).default;

/**
 * Each text with the key that leads to it.
 * @param {any} texts
 * @param {string} [path]
 * @returns {[string, any][]}
 */
const flat = (texts, path = "") =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "object" ? flat(value, `${path}${key}.`) : [[path + key, value]],
  );

/** Values of every kind that a text may take, each with a mark of its place. @param {number} place */
const kinds = (place) => [`@${place}`, 70 + place, [`@${place}`], [[`@${place}`, "x"]]];

/** All that can be given to a text of so many values. @param {number} count @returns {any[][]} */
const given = (count) =>
  count ? given(count - 1).flatMap((before) => kinds(count - 1).map((kind) => [...before, kind])) : [[]];

/** Whether a text has all of them in it. @param {any} say @param {any[]} values */
function shows(say, values) {
  try {
    const text = say(...values);
    return values.every((_, place) => text.includes(`@${place}`) || text.includes(`${70 + place}`));
  } catch {
    return false; // it takes other kinds
  }
}

test.each(others)("%s has the keys that English has", async (tag) => {
  const shape = (/** @type {any} */ texts) =>
    flat(texts).map(([key, value]) => [key, typeof value, value.length * Number(typeof value === "function")]);
  expect(shape(await textsIn(tag))).toEqual(shape(english));
});

test.each(others)("no text of %s is left in English, or empty", async (tag) => {
  const [own, first] = [await textsIn(tag), new Map(flat(english))];
  const same = flat(own).filter(([key, value]) => typeof value === "string" && value === first.get(key));
  expect(same.map(([key]) => key).filter((key) => key !== "direction" && key !== "about.contact")).toEqual([]);
  for (const [key, value] of flat(own)) if (typeof value === "string") expect(value.trim(), key).not.toBe("");
});

test.each(["en", ...others])("every value that is given to a text of %s is in it", async (tag) => {
  const { direction, number, percent, count, list, either, typed, date, time, ...texts } = await textsIn(tag);
  for (const [key, say] of flat(texts)) {
    if (typeof say !== "function") continue;
    expect(given(say.length).some((values) => shows(say, values)), key).toBe(true);
  }
});

test("numbers are read as their language writes them, and never as another would", () => {
  const [en, de, ar] = ["en-GB", "de", "ar-u-nu-latn"].map((locale) => grammar(locale));
  expect(["12.5", "31257", " 3 ", "31\u202f257"].map(en.typed).map(Number)).toEqual([12.5, 31257, 3, 31257]);
  expect(["12,5", "31257"].map(de.typed).map(Number)).toEqual([12.5, 31257]);
  expect(Number(de.typed("31.257"))).toBeNaN(); // thirty-one thousand there
  expect(Number(en.typed("31,257"))).toBeNaN();
  expect(["٣١٢٥٧", "۱۲٫۵"].map(ar.typed).map(Number)).toEqual([31257, 12.5]);
});

test("counts have the plural of their language", async () => {
  const [arabic, french] = [await textsIn("ar"), await textsIn("fr")];
  expect([1, 2, 3, 11, 100].map(arabic.about.removed).map((said) => /بعد (\S+ ?\S*) من/.exec(said)?.[1])).toEqual([
    "يوم واحد",
    "يومين",
    "3 أيام",
    "11 يومًا",
    "100 يوم",
  ]);
  expect(french.choosing.least(1)).toContain("1 réponse ");
  expect(english.about.removed(1000)).toContain("1,000 days");
});

test.each(["en", ...others])("what %s says without a script is what it says with one", async (tag) => {
  const own = await textsIn(tag);
  const plain = (/** @type {string} */ of) => JSON.parse(readFileSync(new URL(`${of}.json`, FOLDER), "utf8"));
  const said = plain(tag);
  expect(Object.keys(said)).toEqual(Object.keys(plain("en")));
  const both = { direction: own.direction, lead: own.page.lead, ...own.about };
  const shared = Object.keys(said).filter((key) => typeof both[key] === "string");
  expect(shared.length).toBe(12);
  for (const key of shared) expect(said[key], key).toBe(both[key]);
  for (const [key, place] of [["removed", "{days}"], ["instead", "{plan}"]])
    expect(said[key].split(place).length, key).toBe(2);
});
