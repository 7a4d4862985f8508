/** The document of a plan: its fields, and what may stand in each by itself. */

import { either, fits, isMapping, label, rise, whole } from "./fits.js";
import { KINDS, MOST_CODES } from "./kinds.js";
import { MOST } from "./policy.js";

const MOST_WEIGHT = 1e6; // of a view in the draw
const LARGE = 1e12; // of a total, which may be above every level
const GROUPS = [16, 32, 64, 128, 256]; // each divides the values of a byte
const level = whole(1, LARGE);

/** @type {Record<string, import("./fits.js").Shape>} */
export const DOCUMENT = {
  format: 1,
  name: label,
  allocation: either("disclosed", "secret"),
  contract: either("attribute", "record"),
  attributes: [
    (/** @type {any} */ stated) =>
      Object.hasOwn(KINDS, stated?.kind) &&
      fits({ kind: stated.kind, name: label, ...KINDS[stated.kind].fields }, stated),
  ],
  bundles: either(undefined, [
    either(
      [label],
      {
        attributes: [label],
        levels: whole(2, MOST_CODES),
        mechanism: either("grr", "duchi"),
      },
      { attributes: [label], bins: [whole(2, MOST_CODES)] },
      { attributes: [label], mechanism: { hierarchy: { bits: [whole(1, 10)] } } },
    ),
  ]),
  budget: either(
    (/** @type {any} */ value) =>
      fits({ average: level, least: level, most: whole(1, MOST), step: level }, value) &&
      value.least <= value.average &&
      value.average <= value.most,
    { total: level, spread: whole(1000, LARGE), step: level },
    (/** @type {any} */ value) => fits({ levels: [whole(1, MOST)] }, value) && rise(value.levels),
  ),
  share: either(
    { least: level },
    { sample: level },
    {
      sample: 1,
      weights: (/** @type {any} */ value) =>
        isMapping(value) && Object.values(value).every(whole(1, MOST_WEIGHT)),
      sizes: (/** @type {any} */ value) =>
        value === undefined ||
        (isMapping(value) &&
          Object.keys(value).length > 1 &&
          Object.keys(value).every((size) => /^(0|[1-9]\d*)$/.test(size)) &&
          rise(Object.values(value)) &&
          Object.values(value).every(level)),
    },
  ),
  again: either(
    undefined,
    "fresh",
    (/** @type {any} */ value) => fits({ rotate: [whole(2, 1000)] }, value) && rise(value.rotate),
  ),
  groups: either(undefined, ...GROUPS),
  owners: either(undefined, whole(1, 1e10)),
  tables: either(undefined, isMapping),
  wording: either(undefined, isMapping),
  replaces: (/** @type {any} */ value) => value === undefined || /^[0-9a-f]{64}$/.test(value),
};
