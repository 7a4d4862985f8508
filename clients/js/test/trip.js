/**
 * One trip of a device to a collector: `node trip.js http://127.0.0.1:8000 '{"mode": 3.5}'
 * '{"mode": "bike"}'`.
 */

import { courier } from "../src/courier.js";
import { budgetOf, report } from "../src/index.js";
import { memory } from "../src/stores/memory.js";

const [address, epsilons, record] = process.argv.slice(2);
const store = memory();
const collector = courier(address, store);
const plan = await collector.plan();
const bytes = await report(plan, store, JSON.parse(record), budgetOf(plan, JSON.parse(epsilons)));
const delivered = await collector.deliver();
const withdrawn = [await collector.withdraw()];
console.log(
  JSON.stringify({ plan: plan.id, report: new TextDecoder().decode(bytes), delivered, withdrawn }),
);
