/**
 * Reports of many devices, one to a line, for a test of their law:
 *
 *     node crowd.js '{"plan": "...", "epsilons": {...}, "record": {...}, "devices": 20000}'
 */

import { Budget, Device, Plan } from "../src/index.js";

const { plan: text, epsilons, record, devices } = JSON.parse(process.argv[2]);
const plan = new Plan(new TextEncoder().encode(text));
const budget = Budget.of(plan, epsilons);
for (let i = 0; i < devices; i++) {
  const report = await new Device(plan, undefined, { pace: 0 }).report(record, budget);
  process.stdout.write(`${new TextDecoder().decode(report)}\n`);
}
