/**
 * What became of a sealed report, in words.
 *
 * @typedef {import("../device/state.js").Sealed} Sealed
 * @typedef {{text: string, sendable: boolean, deletable: boolean}} Standing what is said, and what
 *   can still be done
 */

/**
 * @param {Sealed} sealed
 * @param {boolean} wanted whether it was to be sent
 * @param {string} reason why it is still here, if there is one
 * @param {boolean} blocked whether something else than the network is in the way
 * @returns {Standing}
 */
export function standing({ fate, withdrawn }, wanted, reason, blocked) {
  const said = plain(reason);
  const why = said ? ` (${said})` : "";
  if (withdrawn) return { ...withdrawal(withdrawn, fate?.outcome, why, blocked), sendable: false };
  const again = { sendable: true, deletable: true };
  const settled = { sendable: false, deletable: true };
  switch (fate?.outcome) {
    case undefined:
      if (blocked)
        return { ...again, text: "Your report is kept on this device, and has not been sent." };
      return wanted
        ? {
            ...again,
            text: `Your report is kept on this device and will be sent when you are online and this page is open${why}.`,
          }
        : { ...again, text: "Your report is sealed. Nothing has been sent yet." };
    case "accepted":
      return { ...settled, text: "Your report has arrived. Thank you." };
    case "duplicate":
      return { ...settled, text: "Your report had arrived before, and counts once. Thank you." };
    case "deleted":
      return {
        sendable: false,
        deletable: false,
        text: "The collector had deleted this report before. It is not sent again.",
      };
    default:
      return {
        ...settled,
        text: `The collector did not take your report: ${plain(fate?.reason ?? "")}. It is not sent again.`,
      };
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
  const had = fate === "accepted" || fate === "duplicate";
  if (outcome === "deleted") {
    return { deletable: false, text: "Your report is deleted. The collector has confirmed it." };
  }
  if (outcome === "unknown") {
    return {
      deletable: false,
      text: had
        ? "The collector has no such report any more. If its round was closed long ago, the counts made from it stay."
        : "Your report is deleted. The collector has none, and this device does not send it.",
    };
  }
  const again = blocked ? "Please try again." : "It will be asked again when you are online.";
  return {
    deletable: true,
    text: had
      ? `The collector has not confirmed yet that your report is deleted${why}. ${again}`
      : `Your report is never sent from now on. The collector has not confirmed yet that it has none${why}. ${again}`,
  };
}

/**
 * What a collector said, without the marks for machines; nothing where it said nothing.
 * @param {string} reason such as "status 422: round_closed: round 0 is closed"
 */
function plain(reason) {
  const [, status, words = ""] = /^status (\d+)(?:: (?:\w+: )?(.*))?$/.exec(reason) ?? [];
  return words.replace(/\.$/, "") || (status ? `status ${status}` : "");
}
