/**
 * Reports of many devices, one to a line, for a test of their law:
 *
 *     node crowd.js '{"plan": "...", "epsilons": {...}, "record": {...}, "devices": 20000}'
 */

import { budgetOf, readPlan, report } from "../src/index.js";
import { memory } from "../src/stores/memory.js";

const { plan: text, epsilons, record, devices } = JSON.parse(process.argv[2]);
const plan = readPlan(new TextEncoder().encode(text));
const budget = budgetOf(plan, epsilons);
for (let i = 0; i < devices; i++) {
  const bytes = await report(plan, memory(), record, budget, { pace: 0 });
  process.stdout.write(`${new TextDecoder().decode(bytes)}\n`);
}
