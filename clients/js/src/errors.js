/**
 * Every exception that this package throws on purpose.
 *
 * Python tells the same in sentences; here a page has the words. So an error has a ``reason``, a
 * stable name; the ``field`` it belongs to, where there is one: an attribute, or a place in the plan;
 * the ``value`` that was refused, and the ``bound`` that it broke: a menu, an allowance.
 */

/** The base of all deliberate errors. */
export class DiscretionError extends Error {
  /** @param {string} reason @param {string | null} [field] @param {unknown} [value] @param {unknown} [bound] */
  constructor(reason, field = null, value, bound) {
    super((field === null ? "" : field + ": ") + reason);
    this.reason = reason;
    this.field = field;
    this.value = value;
    this.bound = bound;
  }
}

/** A plan that breaks a rule, or is written in other than its canonical bytes. */
export class PlanError extends DiscretionError {
  name = "PlanError";
}

/** A budget that the plan's policy does not allow; without a field, it is that of all together. */
export class BudgetError extends DiscretionError {
  name = "BudgetError";
}

/** A record from which no report can be made. */
export class RecordError extends DiscretionError {
  name = "RecordError";
}

/** A report that might take the device above its lifetime limit; nothing was drawn. */
export class BudgetSpent extends DiscretionError {
  name = "BudgetSpent";
}

/** Another record or budget for a round whose report is sealed; nothing was sent. */
export class AlreadyAnswered extends DiscretionError {
  name = "AlreadyAnswered";
}

/** A device state that cannot be read: what it spent is unknown, so it counts as spent. */
export class StateError extends DiscretionError {
  name = "StateError";
}

/** A collector that a device does not talk to, or that answers what no collector would. */
export class CollectorError extends DiscretionError {
  name = "CollectorError";
}

/** A collector that gives no answer, or asks to come later; what was to be sent is kept. */
export class CollectorUnreachable extends CollectorError {
  name = "CollectorUnreachable";
}

/** A collector that wants a token, or another one; what was to be sent is kept. */
export class TokenNeeded extends CollectorError {
  name = "TokenNeeded";
}

/** A collector whose plan (``value``) is not the one that the owner knows (``bound``); nothing was sent. */
export class PlanChanged extends CollectorError {
  name = "PlanChanged";
}
