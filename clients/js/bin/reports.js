/**
 * Reports for an audit: `discretion audit plan.yaml --device "node clients/js/bin/reports.js"`.
 *
 * Standard input is a plan's canonical bytes, and then lines {"record": {...}, "budget": {...},
 * "count": n} with the budget's epsilons by name. Standard output is so many sealed reports, a line
 * each, every one by a device that knows nothing yet, and with a token of its own.
 */

import { text } from "node:stream/consumers";
import { budgetOf } from "../src/budget.js";
import { report } from "../src/device.js";
import { decoded, encoded, hex } from "../src/encoding.js";
import { readPlan } from "../src/plan.js";
import { token } from "../src/randomness.js";
import { note } from "../src/state.js";
import { memory } from "../src/stores/memory.js";

try {
  const [first, ...lines] = (await text(process.stdin)).trimEnd().split("\n");
  const plan = await readPlan(encoded(first));
  for (const line of lines) {
    const { record, budget, count } = JSON.parse(line);
    const own = budgetOf(plan, budget);
    for (let left = count; left > 0; left--) {
      const store = memory();
      if (plan.sample) await store(async (tx) => note(tx, [...own.levels.keys()], "drawn", plan.id));
      process.stdout.write(`${decoded(await report(plan, store, record, own, { pace: 0, token: hex(token(32)) }))}\n`);
    }
  }
} catch (error) {
  console.error(`${error}`);
  process.exitCode = 1;
}
