/**
 * The upload client: fetches a collector's plan and sends the device's sealed reports to it.
 *
 * A report was drawn, sealed and committed before it is sent, and a retry sends the same bytes. The
 * client follows one rule for each answer:
 *
 *     2xx with outcome accepted or duplicate     settled: the collector has the report
 *     2xx with outcome deleted, to a withdrawal  settled: the collector deleted the report
 *     410 deleted                                settled: the report was deleted there before
 *     404 unknown_receipt, to a withdrawal       settled: the collector has no such report
 *     another problem in ``FINAL``               dropped, with the reason: never sent nor drawn again
 *     401, 403                                   kept; the error says that a token is needed
 *     anything else, or no answer                kept, and sent again later
 *
 * Only the collector's own answer settles or drops a message: a JSON document with that outcome, or
 * a problem document of the collector's type. Whatever a proxy or a portal answers, with whatever
 * status, the message is kept.
 *
 * A collector's plan is pinned at the first contact. Another one is refused before anything is
 * sent, unless the owner names it.
 *
 * @typedef {import("./state.js").Outcome} Outcome
 * @typedef {import("./transport.js").Reply} Reply
 * @typedef {{round: number, outcome: Outcome, reason: string, withdrawal: boolean}} Delivery
 *   what became of one message: a report, or the withdrawal of one
 */

import { hex } from "./bytes.js";
import { DiscretionError, refuse } from "./errors.js";
import { meet } from "./labels.js";
import { RETRY_POLICY, attemptsOf } from "./retry.js";
import { readPlan } from "./plan.js";
import { sha256 } from "./sha256.js";
import { pin, pinned, roundsIn, sealedIn, settle, withdraw as giveUp } from "./state.js";
import { addressOf, exchange } from "./transport.js";

const TIMEOUT = 20; // seconds for an exchange
// Problems of the report itself; others are of the address, the token or the moment.
const FINAL =
  /^(refused|conflict|invalid|malformed|too_large|unsupported_(type|encoding)|not_gzip)$/;

/**
 * The connection between an owner's state and one collector: https, or http on this machine
 * (elsewhere only if ``insecure``). ``accept`` is the id of a plan that the collector's must be; naming one also
 * takes it in place of another that was pinned.
 * @param {string} to the collector's address @param {import("./stores/store.js").Store} store
 * @param {{accept?: string, token?: string, insecure?: boolean, timeout?: number, retry?: Partial<import("./retry.js").RetryPolicy>}} options
 */
export function uploadClient(to, store, { accept, token, insecure, timeout = TIMEOUT, retry } = {}) {
  const address = addressOf(to, insecure);
  const attempts = () => attemptsOf({ ...RETRY_POLICY, ...retry });
  /** @type {import("./plan.js").Plan | undefined} */
  let fetched;
  if (token !== undefined && !/^[!-~]+$/.test(token)) refuse("bad_token", address); // and do not repeat it

  /**
   * The collector's answer, trying while attempts are left and the request is wanted; status 0: there
   * is none, and why.
   * @param {import("./retry.js").Attempts} on
   * @param {string} path
   * @param {unknown} [body]
   * @param {() => Promise<unknown>} [unwanted]
   * @returns {Promise<Reply>}
   */
  const ask = async (on, path, body, unwanted) => {
    for (let tried = 1; !on.over; tried++) {
      if (await unwanted?.()) return none("");
      let said, later;
      try {
        const reply = await exchange(address + path, body, token, timeout);
        const { status, header } = reply;
        said = reply.said;
        if (status === 401 || status === 403) refuse("token_needed", address, said);
        if (status > 299 && status < 400) refuse("redirect", address, said);
        if (status !== 408 && status !== 429 && status < 500) return reply;
        later = header("retry-after");
      } catch (error) {
        if (error instanceof DiscretionError) throw error;
        said = `no answer (${error})`;
      }
      if (!(await on.again(tried, later))) on.over = `${said}; tried ${tried} times`;
    }
    return none(on.over);
  };

  /** The collector's plan: checked, pinned at first contact, fetched once. */
  const plan = async () => {
    if (fetched) return fetched;
    const known = await pinned(store, address);
    const { status, body, header, said } = await ask(attempts(), "/v1/plan");
    if (status !== 200) refuse(status ? "no_plan" : "no_answer", address, said);
    const tag = header("etag"); // hidden from another origin unless the collector shows it
    if (tag && tag.replace("W/", "") !== `"${hex(sha256(body))}"`) refuse("bad_tag", address, tag);
    const found = await readPlan(body);
    const { id } = found;
    let wanted = accept ?? known ?? id;
    if (id === wanted && id !== known) {
      await store((tx) => meet(tx, found));
      wanted = await pin(store, address, id, known);
    }
    if (id !== wanted) refuse("plan_changed", address, id, wanted);
    return (fetched = found);
  };

  /**
   * Show a receipt; until the collector has deleted the report or has none, it is kept.
   * @param {import("./retry.js").Attempts} on
   * @param {string} id
   * @param {number} round
   * @param {Uint8Array} receipt
   * @returns {Promise<Delivery>}
   */
  const remove = async (on, id, round, receipt) => {
    const { status, said, problem, outcome: stated } = await ask(
      on,
      "/v1/deletions",
      `{"receipt":"${hex(receipt)}"}`,
    );
    const deleted = stated === "deleted";
    const unknown = status === 404 && problem === "unknown_receipt";
    const outcome = deleted ? stated : unknown ? "unknown" : "kept";
    if (outcome !== "kept") await giveUp(store, id, round, outcome);
    return delivery(round, outcome, deleted ? "" : said, true);
  };

  return {
    plan,

    /**
     * Send what is in the outbox for the collector's plan, then withdrawals not answered yet.
     * What is left when the retry policy allows no further attempt is kept.
     */
    async deliver() {
      const { id } = await plan();
      const [on, deliveries] = [attempts(), /** @type {Delivery[]} */ ([])];
      for (const { round, report, sent } of await roundsIn(store, id)) {
        if (sent) continue;
        const reply = await ask(
          on,
          "/v1/reports",
          report,
          async () => (await sealedIn(store, id, round))?.withdrawn,
        );
        if (!reply.status && !reply.said) continue; // it was withdrawn meanwhile
        const [outcome, reason] = outcomeOf(reply);
        if (outcome !== "kept") await settle(store, id, round, outcome, reason);
        deliveries.push(delivery(round, outcome, reason, false));
      }
      for (const { round, receipt, withdrawn } of await roundsIn(store, id)) {
        if (withdrawn === "kept") deliveries.push(await remove(on, id, round, receipt));
      }
      return deliveries;
    },

    /**
     * Have a round's report deleted; from now on it never leaves, whatever the answer is. It is one
     * of the plan that the owner named, or of the pinned one.
     * @returns {Promise<Delivery>}
     */
    async withdraw(round = 0) {
      const id = accept ?? (await pinned(store, address)) ?? (await plan()).id;
      await giveUp(store, id, round, "kept");
      const { receipt, withdrawn } =
        (await sealedIn(store, id, round)) ?? refuse("no_report", null, round);
      return withdrawn === "deleted"
        ? delivery(round, withdrawn, "", true)
        : remove(attempts(), id, round, receipt);
    },
  };
}

/**
 * @param {number} round
 * @param {Outcome} outcome
 * @param {string} reason
 * @param {boolean} withdrawal
 * @returns {Delivery}
 */
const delivery = (round, outcome, reason, withdrawal) => ({ round, outcome, reason, withdrawal });

/** What an answer to a report means. @param {Reply} reply @returns {[Outcome, string]} */
function outcomeOf({ status, outcome, said, problem = "" }) {
  if (outcome === "accepted" || outcome === "duplicate") return [outcome, ""];
  if (status === 410 && problem === "deleted") return [problem, said];
  return [FINAL.test(problem) ? "dropped" : "kept", said];
}

/** No answer, and why. @param {string} said @returns {any} */
const none = (said) => ({ status: 0, said });
