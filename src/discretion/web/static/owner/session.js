/**
 * One visit: what the collector asks and says, what this device keeps, and how the two meet.
 *
 * The page asks for the survey and the plan, and with an invitation whether that is open; it sends
 * sealed reports and deletions, and nothing else. What it asks for does not depend on what is answered.
 *
 * @typedef {import("../device/plan.js").Plan} Plan
 * @typedef {import("../device/stores/store.js").Store} Store
 * @typedef {{level: number, people: number | null}} Stop
 * @typedef {{
 *   plan: string, name: string, asker: string, purpose: string, retention: number,
 *   round: number | null, token: boolean, results: boolean,
 *   stops: Record<string, Stop[]>,
 * }} Survey
 * @typedef {{
 *   address: string,
 *   store: Store,
 *   survey: Survey,
 *   plan: Plan,
 *   names: string[],
 *   token: string | undefined,
 *   past: boolean,
 *   memory: import("./memory.js").Memory,
 * }} Session ``names``: what is asked here; ``token``: an invitation, which the page's memory keeps;
 *   ``past``: it is about a plan that the collector has no more
 */

import { uploadClient } from "../device/upload.js";
import { DiscretionError, drawn, indexed, viewBudget } from "../device/index.js";

const RETRY_POLICY = { tries: 3, total: 30 }; // somebody is waiting
const WAIT = 20_000; // milliseconds for the survey
const UNAUTHORISED = 401;

/** This device's store; without one nobody would keep count. @returns {Promise<Store>} */
export async function opened() {
  try {
    const store = await indexed();
    await store((tx) => tx.get("facts", ["limit"]), true); // some browsers refuse only now
    return store;
  } catch (error) {
    throw error instanceof DiscretionError ? error : new DiscretionError("unreadable", null, error);
  }
}

/** The collector is where the page is. */
export const here = () => new URL(".", location.href).href;

/** The invitation in the page's address, which is taken out of it. */
export function invitation() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? undefined;
  if (token) history.replaceState(null, "", location.pathname + location.search);
  return token;
}

/**
 * What is asked, by a collector whose plan is known, new, or named by ``accept``.
 * @param {Store} store
 * @param {import("./memory.js").Memory} memory
 * @param {string | undefined} token
 * @param {string} [accept]
 * @returns {Promise<Session>}
 */
export async function begun(store, memory, token, accept) {
  const address = here();
  const survey = await surveyAt(address);
  const plan = await uploadClient(address, store, { accept, token, retry: RETRY_POLICY }).plan();
  if (survey.plan !== plan.id) throw new DiscretionError("no_answer", address, survey.plan, plan.id);
  const names = plan.weights
    ? [...(await viewBudget(plan, store)).levels.keys()]
    : plan.sample
      ? await drawn(plan, store)
      : plan.offered;
  return { address, store, survey, plan, names, token, past: false, memory };
}

/** A client of the collector, which compares its plan again. @param {Session} session */
export const clientOf = ({ address, store, token, plan, past }) =>
  uploadClient(address, store, { token, accept: past ? plan.id : undefined, retry: RETRY_POLICY });

/** @param {string} address @returns {Promise<Survey>} */
async function surveyAt(address) {
  const response = await asked(address, "survey");
  if (response.ok) return await response.json();
  throw new DiscretionError("no_answer", address, response.status);
}

/**
 * Whether a report may be sent with an invitation: it is open, used, revoked or unknown.
 * @param {Session} session
 * @returns {Promise<string>}
 */
export async function standingOf({ address, token }) {
  const response = await asked(address, "invitation", { Authorization: `Bearer ${token}` });
  if (response.ok) return (await response.json()).state;
  if (response.status === UNAUTHORISED) return "unknown";
  throw new DiscretionError("no_answer", address, response.status);
}

/** @param {string} address @param {string} what @param {Record<string, string>} [headers] */
async function asked(address, what, headers = {}) {
  try {
    return await fetch(`${address}v1/${what}`, {
      headers,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(WAIT),
    });
  } catch (error) {
    throw new DiscretionError("no_answer", address, error);
  }
}
