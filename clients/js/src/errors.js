/**
 * Every exception that this package throws on purpose, under the names that Python gives them.
 *
 * A message names the rule and the value that broke it; both are kept, with the field they belong
 * to, so that a page can show them beside it.
 */

/** The base of all deliberate errors. */
export class DiscretionError extends Error {}

/** A plan that breaks a rule: which field, which rule, which value. */
export class PlanError extends DiscretionError {
  name = "PlanError";
  /** @param {string} field @param {string} rule @param {unknown} value */
  constructor(field, rule, value) {
    super(`${field}: ${rule}, got ${shown(value)}`);
    this.field = field;
    this.rule = rule;
    this.value = value;
  }
}

/** A name that the plan does not have. */
export class UnknownAttribute extends DiscretionError {
  name = "UnknownAttribute";
  /** @param {string} field @param {readonly string[]} known */
  constructor(field, known) {
    super(`the plan has no attribute ${shown(field)}; it has ${known.join(", ")}`);
    this.field = field;
    this.known = known;
  }
}

/** A budget that the plan's policy does not allow; without a field, it is that of all together. */
export class BudgetError extends DiscretionError {
  name = "BudgetError";
  /** @param {string} rule @param {unknown} value @param {string | null} [field] */
  constructor(rule, value, field = null) {
    const named = field === null ? rule : `${field}: ${rule}`;
    super(`${named}, got ${value}`);
    this.field = field;
    this.rule = named;
    this.value = value;
  }
}

/** A record from which no report can be made. */
export class RecordError extends DiscretionError {
  name = "RecordError";
  /** @param {string} field @param {string} rule @param {unknown} value */
  constructor(field, rule, value) {
    super(`${field}: ${rule}, got ${shown(value)}`);
    this.field = field;
    this.rule = rule;
    this.value = value;
  }
}

/** A report that might take the device above its lifetime limit; all in thousandths of epsilon. */
export class BudgetSpent extends DiscretionError {
  name = "BudgetSpent";
  /** @param {number} granted @param {number} charge @param {number} limit */
  constructor(granted, charge, limit) {
    super(
      `the lifetime limit is ${limit / 1000}, the reports so far may have cost ` +
        `${granted / 1000}, and this one may cost ${charge / 1000}`,
    );
    this.granted = granted;
    this.charge = charge;
    this.limit = limit;
  }
}

/** Another record or budget for a round whose report is sealed. */
export class AlreadyAnswered extends DiscretionError {
  name = "AlreadyAnswered";
  /** @param {number} round */
  constructor(round) {
    super(`round ${round} is sealed with another record or budget; nothing was sent`);
    this.round = round;
  }
}

/** A device state that cannot be read: what it spent is unknown, so it counts as spent. */
export class StateUnreadable extends DiscretionError {
  name = "StateUnreadable";
  /** @param {string} detail */
  constructor(detail) {
    super(`cannot read the device's state (${detail}); it counts as spent`);
    this.detail = detail;
  }
}

/** A device state that another page holds in an older version; nothing was drawn or charged. */
export class StateBusy extends DiscretionError {
  name = "StateBusy";
  constructor() {
    super("the device's state is in use by another page; close it and try again");
  }
}

/** A collector that a device does not talk to, or that answers what no collector would. */
export class CollectorError extends DiscretionError {
  name = "CollectorError";
  /** @param {string} address @param {string} detail */
  constructor(address, detail) {
    super(`${address}: ${detail}`);
    this.address = address;
    this.detail = detail;
  }
}

/** A collector that gives no answer, or asks to come later; what was to be sent is kept. */
export class CollectorUnreachable extends CollectorError {
  name = "CollectorUnreachable";
}

/** A collector that wants a token, or another one; what was to be sent is kept. */
export class TokenNeeded extends CollectorError {
  name = "TokenNeeded";
}

/** A collector whose plan is not the one that the owner knows; nothing was sent. */
export class PlanChanged extends CollectorError {
  name = "PlanChanged";
  /** @param {string} address @param {string} known @param {string} offered */
  constructor(address, known, offered) {
    const rule = `its plan must be ${known}, got ${offered}`;
    super(address, `${rule}; nothing was sent (to accept a plan, name its id)`);
    this.known = known;
    this.offered = offered;
  }
}

/** @param {unknown} value */
function shown(value) {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
