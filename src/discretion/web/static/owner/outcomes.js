/**
 * What became of a sealed report, in words.
 *
 * @typedef {import("../device/state.js").Sealed} Sealed
 * @typedef {{text: string, sendable: boolean, deletable: boolean}} Standing what is said, and what
 *   can still be done
 */

import { isolated, texts } from "./language.js";
import { joined, number } from "./words.js";

/**
 * @param {Sealed} sealed
 * @param {boolean} wanted whether it was to be sent
 * @param {string} reason why it is still here, if there is one
 * @param {boolean} blocked whether something else than the network is in the way
 * @returns {Standing}
 */
export function standing({ fate, withdrawn }, wanted, reason, blocked) {
  const say = texts.outcomes;
  const why = plain(reason);
  if (withdrawn) return { ...withdrawal(withdrawn, fate?.outcome, why, blocked), sendable: false };
  const again = { sendable: true, deletable: true };
  const settled = { sendable: false, deletable: true };
  switch (fate?.outcome) {
    case undefined:
      if (blocked) return { ...again, text: say.here };
      return { ...again, text: wanted ? say.waits(why) : say.sealed };
    case "accepted":
      return { ...settled, text: say.accepted };
    case "duplicate":
      return { ...settled, text: say.duplicate };
    case "deleted":
      return { sendable: false, deletable: false, text: say.deletedBefore };
    default:
      return { ...settled, text: say.refused(plain(fate?.reason ?? "")) };
  }
}

/**
 * @param {string} outcome
 * @param {string | undefined} fate
 * @param {string} why
 * @param {boolean} blocked
 * @returns {{text: string, deletable: boolean}}
 */
function withdrawal(outcome, fate, why, blocked) {
  const say = texts.outcomes;
  const had = fate === "accepted" || fate === "duplicate";
  if (outcome === "deleted") return { deletable: false, text: say.deleted };
  if (outcome === "unknown") return { deletable: false, text: had ? say.unknown : say.never };
  const again = blocked ? say.tryAgain : say.later;
  return { deletable: true, text: joined(had ? say.unconfirmed(why) : say.unsent(why), again) };
}

/**
 * What a collector said, without the marks for machines; nothing where it said nothing.
 * @param {string} reason such as "status 422: round_closed: round 0 is closed"
 */
function plain(reason) {
  const [, status, words = ""] = /^status (\d+)(?:: (?:\w+: )?(.*))?$/.exec(reason) ?? [];
  const said = words.replace(/\.$/, "");
  return said ? isolated(said) : status ? texts.outcomes.status(number(Number(status))) : "";
}
