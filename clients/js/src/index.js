/** Discretion's device for browsers: a record and a budget to a report that can be sent. */

export { Budget } from "./budget.js";
export { Courier } from "./courier.js";
export { Device } from "./device.js";
export * from "./errors.js";
export { Plan } from "./plan.js";
export { State } from "./state.js";
export { indexed } from "./stores/indexeddb.js";
export { memory } from "./stores/memory.js";
