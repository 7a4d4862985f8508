/**
 * What a page does with the device, in a browser: run by chromium.test.js, to which it reports how it
 * went.
 */

import { uploadClient } from "../src/upload.js";
import { evenBudget, indexed, readPlan, report, spent } from "../src/index.js";
import { memory } from "../src/stores/memory.js";

const TURNS = 100;

/** @param {() => Promise<unknown>} act @returns {Promise<number>} milliseconds */
async function timed(act) {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

async function run() {
  const { plan: text, record } = await (await fetch("/given")).json();
  const bytes = new TextEncoder().encode(text);
  const plan = await readPlan(bytes);
  const budget = evenBudget(plan);
  const laws = await timed(async () => {
    for (const [name, level] of budget.levels) plan.question(name).law(level);
  });
  const first = await timed(() => report(plan, memory(), record, budget, { pace: 0 }));
  const times = [];
  for (let i = 0; i < TURNS; i++)
    times.push(await timed(() => report(plan, memory(), record, budget, { pace: 0 })));
  const store = await indexed("page");
  const send = uploadClient(location.origin, store);
  const fetched = await send.plan();
  const stored = await timed(() => report(fetched, store, record, budget, { pace: 0 }));
  const again = new TextDecoder().decode(
    await report(fetched, await indexed("page"), record, budget),
  );
  const deliveries = await send.deliver();
  times.sort((a, b) => a - b);
  return {
    laws,
    first,
    median: times[TURNS / 2],
    worst: times[TURNS - 1],
    stored,
    deliveries,
    again,
    spent: await spent(store),
    total: budget.total,
  };
}

const result = await run().catch((error) => ({ error: `${error} ${error.value} ${error.stack}` }));
await fetch("/result", { method: "POST", body: JSON.stringify(result) });
