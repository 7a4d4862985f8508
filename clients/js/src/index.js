/**
 * Discretion's device for browsers: a record and a budget to a sealed report. The upload client
 * is in upload.js.
 */

export { changesOf } from "./applies.js";
export { budgetOf, evenBudget, sensitiveBudget } from "./budget.js";
export { drawn, firstView, report, sampledBudget, viewBudget } from "./device.js";
export { DiscretionError } from "./errors.js";
export { readPlan } from "./plan.js";
export { rotate, setLimit } from "./rounds.js";
export { roundsIn, spent } from "./state.js";
export { adopt, predecessor } from "./succession.js";
export { indexed } from "./stores/indexeddb.js";
