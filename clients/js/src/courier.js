/**
 * The courier: takes a collector's plan to a device, and its sealed reports to the collector.
 *
 * What it carries was drawn, sealed and committed before; a retry carries the same bytes. It
 * follows one rule for each answer:
 *
 *     2xx that says accepted, duplicate it is settled: the collector has it
 *     410                               it is settled: it was deleted there
 *     408, 425, 429, 5xx, other, none   it is kept, and goes again later
 *     401, 403                          it is kept, and the owner is told that a token is needed
 *     any other 4xx                     it is dropped, with the reason: never sent nor drawn again
 *
 * A collector's plan is pinned at the first contact. Another one is refused before anything is
 * sent, unless the owner names it.
 *
 * @typedef {import("./state.js").Outcome} Outcome
 * @typedef {import("./wire.js").Reply} Reply
 * @typedef {{round: number, outcome: Outcome, reason: string, withdrawal: boolean}} Delivery
 *   what became of one message of a trip: a report, or the withdrawal of one
 */

import { decoded, hex } from "./encoding.js";
import { CollectorError, CollectorUnreachable, PlanChanged, RecordError, TokenNeeded } from "./errors.js";
import { PATIENCE, Trip } from "./patience.js";
import { Plan } from "./plan.js";
import { sha256 } from "./sha256.js";
import { addressOf, exchange } from "./wire.js";

const TIMEOUT = 20; // seconds for an exchange
const SHOWN = 200; // characters of what a collector says
const PROBLEM = "application/problem+json";

/** One trip between an owner's state and a collector. */
export class Courier {
  /** @type {Plan | undefined} */
  #plan;

  /**
   * Go to an address: https, or http on this machine (elsewhere only if ``insecure``). ``accept``
   * is the id of a plan that the collector's must be; naming one also takes it in place of another
   * that was pinned.
   * @param {string} address @param {import("./state.js").State} state
   * @param {{accept?: string, token?: string, insecure?: boolean, timeout?: number, patience?: Partial<import("./patience.js").Patience>}} options
   */
  constructor(address, state, { accept, token, insecure = false, timeout = TIMEOUT, patience } = {}) {
    this.address = addressOf(address, insecure);
    this.state = state;
    this.accept = accept;
    this.token = token;
    this.timeout = timeout;
    this.patience = { ...PATIENCE, ...patience };
  }

  /** The collector's plan: checked, pinned at first contact, fetched once a trip. */
  async plan() {
    return (this.#plan ??= await this.#fetched());
  }

  /** Send what lies in the outbox for the collector's plan, then withdrawals not answered yet. When patience is at its end, all that is left is kept. */
  async deliver() {
    const { id } = await this.plan();
    const [trip, deliveries] = [new Trip(this.patience), /** @type {Delivery[]} */ ([])];
    for (const { round, report, sent } of await this.state.rounds(id)) {
      const delivery = !sent && (await this.#send(id, round, report, trip));
      if (delivery) deliveries.push(delivery);
    }
    for (const { round, receipt, withdrawn } of await this.state.rounds(id)) {
      if (withdrawn === "kept") deliveries.push(await this.#delete(id, round, receipt, trip));
    }
    return deliveries;
  }

  /** Have a round's report deleted; from now on it never leaves, whatever the answer is. It is one of the plan that the owner named, or of the pinned one. */
  async withdraw(round = 0) {
    const plan = this.accept ?? (await this.state.pinned(this.address)) ?? (await this.plan()).id;
    await this.state.withdraw(plan, round);
    const sealed = await this.state.sealed(plan, round);
    if (!sealed) throw new RecordError("no_report", "round", round);
    if (sealed.withdrawn === "deleted") return delivered(round, "deleted", "", true);
    return this.#delete(plan, round, sealed.receipt, new Trip(this.patience));
  }

  async #fetched() {
    const known = await this.state.pinned(this.address);
    const reply = await this.#ask("/v1/plan", undefined, new Trip(this.patience));
    if (reply.status !== 200) throw new CollectorError("no_plan", this.address, said(reply));
    const tag = reply.header("etag"); // hidden from another origin unless the collector shows it
    if (tag && tag.replace(/^W\//, "") !== `"${hex(sha256(reply.body))}"`) throw new CollectorError("bad_tag", this.address);
    const plan = new Plan(reply.body);
    let wanted = this.accept ?? known ?? plan.id;
    if (plan.id === wanted && wanted !== known) wanted = await this.state.pin(this.address, plan.id, known);
    if (plan.id !== wanted) throw new PlanChanged("plan_changed", this.address, plan.id, wanted);
    return plan;
  }

  /** Send one report; null: it was withdrawn meanwhile. @param {string} plan @param {number} round @param {Uint8Array} report @param {Trip} trip */
  async #send(plan, round, report, trip) {
    const reply = await this.#kept("/v1/reports", report, trip, async () => (await this.state.sealed(plan, round))?.withdrawn);
    if (!reply) return null;
    if (typeof reply === "string") return delivered(round, "kept", reply);
    const { outcome } = content(reply);
    const [told, reason] =
      reply.status < 300
        ? outcome === "accepted" || outcome === "duplicate"
          ? [outcome, ""]
          : ["kept", `${said(reply)}: not a collector's answer`] // a portal's, say
        : [reply.status === 410 ? "deleted" : reply.status === 425 ? "kept" : "dropped", said(reply)];
    if (told !== "kept") await this.state.settle(plan, round, told, reason);
    return delivered(round, told, reason);
  }

  /** Show a receipt; until the collector has deleted the report or has none, it is kept. @param {string} plan @param {number} round @param {Uint8Array} receipt @param {Trip} trip */
  async #delete(plan, round, receipt, trip) {
    const reply = await this.#kept("/v1/deletions", `{"receipt":"${hex(receipt)}"}`, trip);
    if (typeof reply !== "object") return delivered(round, "kept", reply, true);
    const unknown = reply.status === 404 && kindOf(reply) === PROBLEM; // not just any server's 404
    if (reply.status >= 300 && !unknown) return delivered(round, "kept", said(reply), true);
    const outcome = unknown ? "unknown" : "deleted";
    await this.state.withdraw(plan, round, outcome);
    return delivered(round, outcome, unknown ? said(reply) : "", true);
  }

  /** An answer, or why there is none; nothing if it was not wanted any more. @param {string} path @param {unknown} body @param {Trip} trip @param {() => Promise<unknown>} [unwanted] @returns {Promise<Reply | string>} */
  async #kept(path, body, trip, unwanted) {
    try {
      return await this.#ask(path, body, trip, unwanted);
    } catch (error) {
      if (error instanceof CollectorUnreachable) return `${error.value}`;
      throw error;
    }
  }

  /** An answer that is one, trying as long as the trip lasts and it is wanted. @param {string} path @param {unknown} body @param {Trip} trip @param {() => Promise<unknown>} [unwanted] @returns {Promise<Reply>} */
  async #ask(path, body, trip, unwanted) {
    for (let tried = 1; !trip.over; tried++) {
      if (unwanted && (await unwanted())) throw new CollectorUnreachable("unwanted", this.address, "");
      let [failure, later] = ["", /** @type {string | null} */ (null)];
      try {
        const reply = await exchange(this.address + path, body, this.token, this.timeout);
        failure = said(reply);
        if (reply.status === 401 || reply.status === 403) throw new TokenNeeded("token_needed", this.address, failure);
        if (reply.status >= 300 && reply.status < 400) throw new CollectorError("redirect", this.address, failure);
        if (reply.status !== 408 && reply.status !== 429 && reply.status < 500) return reply;
        later = reply.header("retry-after");
      } catch (error) {
        if (!(error instanceof CollectorUnreachable)) throw error;
        failure = `no answer (${error.value})`;
      }
      if (!(await trip.again(tried, later))) trip.over = `${failure}; tried ${tried} times`;
    }
    throw new CollectorUnreachable("no_answer", this.address, trip.over);
  }
}

/** @param {number} round @param {Outcome} outcome @param {string} reason @returns {Delivery} */
const delivered = (round, outcome, reason, withdrawal = false) => ({ round, outcome, reason, withdrawal });

/** The status of an answer, and what its problem document says, in one short line. @param {Reply} reply */
function said(reply) {
  const { reason, title, detail } = content(reply);
  const words = [`status ${reply.status}`, reason || title, detail].filter((word) => typeof word === "string");
  return words.join(": ").replace(/[\p{C}\p{Z}]+/gu, " ").slice(0, SHOWN);
}

/** @param {Reply} reply */
const kindOf = (reply) => (reply.header("content-type") ?? "").split(";")[0].trim().toLowerCase();

/** What an answer says; nothing if it is not an object of JSON. @param {Reply} reply @returns {any} */
function content(reply) {
  try {
    return (/^application\/(problem\+)?json$/.test(kindOf(reply)) && JSON.parse(decoded(reply.body))) || {};
  } catch {
    return {};
  }
}
