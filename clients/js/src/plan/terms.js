/** What a plan lets an owner choose: bundles, how much is shared, levels, and tables of levels. */

import { BudgetError } from "../errors.js";
import { OPTIMAL } from "../laws/registry.js";
import { checkWeights } from "../laws/table.js";
import { MOST, Policy } from "../policy.js";
import { Bundle, Coarse, Numeric } from "../schema.js";
import { MOST_CODES } from "./questions.js";

const CELLS = "subset";
const MOST_CELLS = 1 << 20; // of bundled numbers
const MOST_SIGNS = 40; // numbers in one bundle with duchi
const MOST_LEVELS = 64; // of optimal mechanisms

/**
 * @typedef {import("./field.js").Field} Field
 * @typedef {import("./questions.js").Question} Question
 * @typedef {{attribute: Bundle, mechanism: string, coding: null}} Bundled
 * @typedef {{least: number, sample: number | null, names: string[], counts: number[]}} Share
 */

/** @param {Field} field @param {Question[]} questions @param {boolean} secret @returns {Bundled[]} */
export function readBundles(field, questions, secret) {
  if (secret) field.fail("must not be in a plan with secret allocation");
  const bundles = field.items().map((item) => bundle(item, questions));
  const names = [...questions, ...bundles].map(({ attribute }) => attribute.name);
  if (new Set(names).size < names.length) {
    field.fail("names must differ, also from those of attributes");
  }
  const sets = bundles.map(({ attribute }) => JSON.stringify(attribute.parts.map((p) => p.name).sort()));
  if (new Set(sets).size < sets.length) field.fail("must not bundle the same attributes twice");
  return bundles;
}

/** @param {Field} field @param {Question[]} questions @returns {Bundled} */
function bundle(field, questions) {
  if (!field.isMapping) return { attribute: cells(field, partsOf(field, questions)), mechanism: CELLS, coding: null };
  const fields = field.mapping(["attributes", "levels", "mechanism"]);
  const parts = partsOf(fields.attributes, questions);
  const mechanism = fields.mechanism.oneOf(["grr", "duchi"]);
  const levels = fields.levels.whole(2, MOST_CODES);
  const coarse = parts.map((part) => {
    if (part instanceof Numeric && !part.edges) return new Coarse(part, levels);
    return field.fail(`a bundle with levels must be of numbers without bins, not ${part.name}`);
  });
  if (mechanism === "duchi" && (levels !== 2 || parts.length > MOST_SIGNS)) {
    field.fail(`duchi tells two levels of at most ${MOST_SIGNS} numbers`);
  }
  const attribute = new Bundle(coarse);
  if (mechanism !== "duchi" && attribute.size > MOST_CELLS) {
    field.fail(`must have at most ${MOST_CELLS} cells (fewer levels or attributes)`);
  }
  return { attribute, mechanism, coding: null };
}

/** @param {Field} field @param {Question[]} questions */
function partsOf(field, questions) {
  const known = questions.map(({ attribute }) => attribute.name);
  const names = field.items().map((item) => item.oneOf(known));
  if (names.length < 2 || new Set(names).size < names.length) {
    field.fail("must be two or more different attributes");
  }
  return names.map((name) => questions[known.indexOf(name)].attribute);
}

/** @param {Field} field @param {import("../schema.js").Attribute[]} parts */
function cells(field, parts) {
  field.items().forEach((item, i) => {
    const part = parts[i];
    if (part instanceof Numeric && !part.edges) item.fail("a numeric attribute needs bins to be in a bundle");
  });
  const attribute = new Bundle(parts);
  if (attribute.size > MOST_CODES) field.fail(`must have at most ${MOST_CODES} cells`);
  return attribute;
}

/** @param {Field} field @param {Question[]} questions @param {Bundled[]} bundles @returns {Share} */
export function readShare(field, questions, bundles) {
  const inside = bundles.flatMap(({ attribute }) => attribute.parts.map((part) => part.name));
  const alone = questions.map(({ attribute }) => attribute.name).filter((name) => !inside.includes(name));
  const names = [...alone, ...bundles.map(({ attribute }) => attribute.name)];
  const sizes = [...bundles.map(({ attribute }) => attribute.parts.length), ...alone.map(() => 1)];
  const { least, sample } = field.mapping([], ["least", "sample"]);
  if (sample) {
    field.mapping(["sample"]);
    if (new Set(inside).size < inside.length) sample.fail("must be in a plan whose bundles do not overlap");
    const drawn = sample.whole(1, names.length);
    const largest = sizes.sort((a, b) => b - a).slice(0, drawn);
    return { least: 1, sample: drawn, names, counts: upTo(1, largest) };
  }
  const shared = field.mapping(["least"]) && least.whole(1, questions.length);
  return { least: shared, sample: null, names, counts: upTo(shared, sizes) };
}

/** How many attributes an owner may share in all. @param {number} least @param {number[]} sizes */
function upTo(least, sizes) {
  const most = sizes.reduce((sum, size) => sum + size, 0);
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, i) => least + i);
}

/** @param {Field} field @param {number[]} shares @returns {Policy} */
export function readPolicy(field, shares) {
  const given = field.isMapping ? Object.keys(/** @type {object} */ (field.value)) : [];
  const key = ["average", "total", "levels"].find((name) => given.includes(name));
  if (!key) field.fail("must be a mapping with average, total or levels");
  const policy = new Policy(READERS[/** @type {keyof typeof READERS} */ (key)](field));
  for (const shared of shares) {
    if (!has(policy, shared, 1)) field.fail(`leaves no level that ${shared} attributes can have`);
  }
  return policy;
}

const READERS = {
  /** @param {Field} field */
  average(field) {
    const { average, least, most, step } = levelsOf(field, ["average", "least", "most", "step"]);
    if (!(least <= average && average <= most)) {
      field.mapping(["average"], ["least", "most", "step"]).average.fail("must lie between least and most");
    }
    if (most > MOST) field.fail(`no level may be above ${MOST / 1000}`);
    return { average, least, most, step };
  },
  /** @param {Field} field */
  total(field) {
    const { total, spread, step } = levelsOf(field, ["total", "spread", "step"]);
    if (spread < 1000) field.mapping(["spread"], ["total", "step"]).spread.fail("must be 1 or more");
    return { total, spread, step };
  },
  /** @param {Field} field */
  levels(field) {
    const list = field.mapping(["levels"]).levels;
    const levels = list.items().map((item) => item.whole(1));
    if (levels.some((level, i) => i && levels[i - 1] >= level)) list.fail("must rise");
    if (levels[levels.length - 1] > MOST) field.fail(`no level may be above ${MOST / 1000}`);
    return { levels };
  },
};

/** @param {Field} field @param {string[]} names @returns {Record<string, number>} */
function levelsOf(field, names) {
  const fields = field.mapping(names);
  return Object.fromEntries(names.map((name) => [name, fields[name].whole(1)]));
}

/** Refuse bundles that some number of shared attributes would leave without a level. @param {Field} field @param {Bundled[]} bundles @param {Policy} policy @param {number[]} shares */
export function checkBundles(field, bundles, policy, shares) {
  field.items().forEach((item, i) => {
    const count = bundles[i].attribute.parts.length;
    const lacking = shares.find((shared) => !has(policy, Math.max(shared, count), count));
    if (lacking !== undefined) item.fail(`must be able to have a level where ${lacking} attributes are shared`);
  });
}

/** Whether all of so many can have one level. @param {Policy} policy @param {number} shared @param {number} together */
function has(policy, shared, together) {
  try {
    return policy.even(shared, together) > 0;
  } catch (error) {
    if (error instanceof BudgetError) return false;
    throw error;
  }
}

/** @param {Record<string, Field>} fields @param {Question[]} questions @param {Policy} policy @returns {Map<number, import("../laws/table.js").Weights>} */
export function readTables(fields, questions, policy) {
  const found = new Map();
  if (!questions.some(({ mechanism }) => mechanism === OPTIMAL)) {
    if (fields.tables) fields.tables.fail("must be in plans with an optimal mechanism only");
    return found;
  }
  if (policy.menu.length > MOST_LEVELS) {
    fields.budget.fail(`must have at most ${MOST_LEVELS} levels with an optimal mechanism`);
  }
  const given = fields.tables.mapping(policy.menu.map(String));
  for (const level of policy.menu) {
    const table = given[level];
    const rows = table.items().map((row) => row.items().map((item) => item.whole(0)));
    const wrong = checkWeights(level, rows);
    if (wrong) table.fail(`must be a table of this level: ${wrong}`);
    found.set(level, rows);
  }
  return found;
}
