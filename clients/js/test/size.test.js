/** What a page has to load, and that it does what the sources do. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, expect, test, vi } from "vitest";
import { ALL, FURTHER, minified, write } from "../bin/minify.js";
import { memory } from "../src/stores/memory.js";
import { bytesOf, drawn, golden } from "./golden.js";

const SOURCE = fileURLToPath(new URL("../src/", import.meta.url));
const PAGE =
  'export { budgetOf, indexed, report } from "./index.js"; export { uploadClient } from "./upload.js";';

const folder = mkdtempSync(join(tmpdir(), "discretion-"));
afterAll(() => rmSync(folder, { recursive: true }));

// The first two bars were 20,000 and 22,000. They rose by 750 each for what no page may leave out: labels
// of a new plan are compared, variants are charged what they cost, and answers of proxies settle nothing.
// With one protocol for all laws (stages, form, cohorts) they rose by 100, and the last one fell by 250.
// Since kinds of attributes are a table and laws say what they send, which meaning.js had listed, all are
// 300, 300 and 110 above that.
// Wording is checked for what it could disguise, and a plan may word another anew: 1,850 and 2,150 more.
// A state that was moved elsewhere refuses everything: 120 more.
// Conditions of questions are checked and evaluated: 1,100 and 1,150 more.
// Dates and times of day are read, and nothing else is: 650 more.
// Numbers and labels in order are reported by intervals, whose forms differ by depth: 260 more, and 1,370 beside it.
// Sets and maps are asked, and their lengths chosen: 400 more, and 2,900 beside it.
// Of views an order is drawn, and the first one inside what is shared is asked: 720 and 1,150 more.
// Why a value does not fit is said, and a record's changes are listed, and ranges of dates are taken as dates: 300 and 900 more.
// Texts to discover have a prefix code in the plan, and report its first bits: 200 more, and 2,650 beside it.
// Plans say how later rounds are answered, an owner in one of several, and limits are over rounds: 1,100 and 1,450 more.
// A plan may have public groups of owners, of which a device draws one: 200 and 250 more.
// Rounding may be kept, by a threshold that is drawn once: 520 more.
// Sets of texts are hashed into cells of a cohort: 200 more, and 1,100 beside it.
// Sizes of views are numbers, of which there are two or more: 50 more.
// Answers are kept by one law and sent through another one in every round, and some answers share one: 320 more, and 1,310 beside it.
// A bundle may be about where two numbers lie: 250 more, and 900 beside it.
// Bits of a few codes that a device draws once are reported: 40 more, and 560 beside it.
// Numbers are read in the digits of any script: 150 more.
// Each attribute has a function, or sampled codes, of its own: 140 more, and 20 beside it.
test.each([
  ["the page of the README: plan, budget, report, sending", PAGE, 29_850],
  ["all of the device, with sending", ALL, 33_640],
  ["what is loaded beside it where a plan needs it", FURTHER, 21_590],
])("%s", async (what, contents, most) => {
  const code = await minified(contents);
  console.log(`${what}: ${code.length} bytes (${gzipSync(code).length} zipped)`);
  expect(code.length).toBeLessThan(most);
});

test("what is minified makes the reports that Python makes, with nothing beside it", async () => {
  const code = Buffer.from(await minified(ALL)).toString("base64");
  const device = await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
  const random = vi.spyOn(crypto, "getRandomValues");
  for (const vector of golden("reports").reports) {
    if (!vector.levels || vector.token) continue; // sampled: words come twice; assigned: from beside it
    random.mockImplementation((/** @type {any} */ bytes) => {
      bytes.set(bytesOf(bytes.length === 32 ? vector.receipt : vector.words));
      return bytes;
    });
    const plan = await device.readPlan(new TextEncoder().encode(vector.plan));
    const epsilons = Object.entries(vector.levels).map(([name, level]) => [name, level / 1000]);
    const budget = device.budgetOf(plan, Object.fromEntries(epsilons), vector.ranges);
    const bytes = await device.report(plan, memory(), vector.record, budget, {
      round: vector.round,
      pace: 0,
      token: vector.token,
    });
    expect(new TextDecoder().decode(bytes)).toBe(vector.report);
  }
  random.mockRestore();
});

test.each(["draws", "coded", "texts", "variants", "assigned", "intervals", "sets", "prefixes", "staged", "bitflip"])("what is loaded beside it makes the %s that Python makes", async (name) => {
  const { plan: text, draws } = golden(name);
  const dist = pathToFileURL(`${folder}/`);
  await write(dist);
  const device = await import(/* @vite-ignore */ `${dist}discretion.js`);
  const plan = await device.readPlan(new TextEncoder().encode(text));
  for (const vector of draws) expect(drawn(plan, vector)).toBe(vector.y);
});

test("nothing is imported from elsewhere", async () => {
  const { metafile } = await build({
    entryPoints: ["index", "upload", "meaning", "stores/memory"].map(
      (name) => `${SOURCE}${name}.js`,
    ),
    bundle: true,
    write: false,
    outdir: "unused",
    metafile: true,
  });
  expect(Object.keys(metafile.inputs).filter((path) => !path.startsWith("src/"))).toEqual([]);
});
