/**
 * Reports for an audit: `discretion audit plan.yaml --device "node clients/js/bin/reports.js"`.
 *
 * Standard input is a plan's canonical bytes, and then lines {"records": [{...}], "budget": {...},
 * "count": n} with the budget's epsilons by name. Standard output is the sealed reports of so many
 * devices that know nothing yet, each with a token of its own: a round, and a line, for each record.
 */

import { text } from "node:stream/consumers";
import { budgetOf } from "../src/budget.js";
import { report } from "../src/device.js";
import { decoded, encoded, hex } from "../src/bytes.js";
import { readPlan } from "../src/plan.js";
import { token } from "../src/randomness.js";
import { menuOf, rotate } from "../src/rounds.js";
import { note } from "../src/state.js";
import { memory } from "../src/stores/memory.js";

try {
  const [first, ...lines] = (await text(process.stdin)).trimEnd().split("\n");
  const plan = await readPlan(encoded(first));
  for (const line of lines) {
    const { records, budget, count } = JSON.parse(line);
    const own = budgetOf(plan, budget);
    for (let left = count; left > 0; left--) {
      const store = memory();
      if (plan.sample) await store(async (tx) => note(tx, [...own.levels.keys()], "drawn", plan.id));
      const options = { pace: 0, token: hex(token(32)) };
      const [every] = menuOf(plan); // of a plan that rotates, rounds in which the device answers
      const first = every ? (await rotate(plan, store, every)).phase : 0;
      for (const [i, record] of records.entries()) {
        const round = first + i * (every ?? 1);
        process.stdout.write(
          `${decoded(await report(plan, store, record, own, { ...options, round }))}\n`,
        );
      }
    }
  }
} catch (error) {
  console.error(`${error}`);
  process.exitCode = 1;
}
