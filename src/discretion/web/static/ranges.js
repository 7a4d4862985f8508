/**
 * A range that somebody drags or types, with its share and interval: they are on the page already.
 * Ends are those of the parts that the card has; what is typed becomes the nearest of these.
 */

/**
 * @typedef {object} Steps
 * @property {string[]} first the least value of each part, as people read it
 * @property {string[]} last the largest one
 * @property {number[]} below the share below each part, and one
 * @property {number[][]} stderr of the parts from one up to before each later one
 */

const NORMAL = 1.959964; // standard errors to either side
/** @type {Map<string, Chosen>} the parts that were chosen, whatever becomes of the card */
const kept = new Map();

/** @typedef {{ first: number, last: number }} Chosen */

class ChosenRange extends HTMLElement {
  connectedCallback() {
    const box = this.firstElementChild;
    if (!(box instanceof HTMLElement)) return;
    const count = this.steps.first.length;
    kept.set(this.id, kept.get(this.id) ?? { first: 0, last: Math.floor(count / 2) });
    box.hidden = false;
    this.addEventListener("input", (event) => this.slide(event.target));
    this.addEventListener("change", (event) => this.type(event.target));
    this.show();
  }

  /** @returns {Steps} */
  get steps() {
    return JSON.parse(this.dataset.steps ?? "");
  }

  /** @returns {Chosen} */
  get chosen() {
    return kept.get(this.id) ?? { first: 0, last: 0 };
  }

  /** Take over the place of a slider. @param {EventTarget | null} target */
  slide(target) {
    if (target instanceof HTMLInputElement && target.dataset.slides) this.move(target.dataset.slides, Number(target.value));
  }

  /** Take over what was typed, or the end that is nearest. @param {EventTarget | null} target */
  type(target) {
    if (!(target instanceof HTMLInputElement) || !target.dataset.end) return;
    const end = target.dataset.end === "first" ? "first" : "last";
    const ends = this.steps[end];
    const same = ends.findIndex((each) => each.toLowerCase() === target.value.trim().toLowerCase());
    this.move(end, same < 0 ? nearest(ends, target.value) ?? this.chosen[end] : same);
  }

  /** Put one end of the range somewhere; the other one gives way. @param {string} end @param {number} at */
  move(end, at) {
    const { first, last } = this.chosen;
    kept.set(this.id, end === "first" ? { first: at, last: Math.max(at, last) } : { first: Math.min(at, first), last: at });
    this.show();
  }

  /** Show the range, its share and its interval. */
  show() {
    const { chosen, steps } = this;
    for (const field of this.querySelectorAll("input")) {
      const end = (field.dataset.end ?? field.dataset.slides) === "first" ? "first" : "last";
      field.value = field.dataset.end ? steps[end][chosen[end]] : String(chosen[end]);
      if (field.dataset.slides) field.setAttribute("aria-valuetext", steps[end][chosen[end]]);
    }
    const share = steps.below[chosen.last + 1] - steps.below[chosen.first];
    const half = NORMAL * steps.stderr[chosen.first][chosen.last - chosen.first];
    const [low, high] = [Math.max(share - half, 0), Math.min(share + half, 1)];
    const output = this.querySelector("output");
    if (output) output.value = `${percent(share)} (95 % interval ${percent(low)} to ${percent(high)})`;
  }
}

/** Return where the nearest number is. @param {string[]} ends @param {string} typed */
function nearest(ends, typed) {
  const [wanted, ...numbers] = [typed, ...ends].map((text) => Number.parseFloat(text.replaceAll(",", "")));
  if (Number.isNaN(wanted) || numbers.some(Number.isNaN)) return undefined;
  const apart = numbers.map((number) => Math.abs(number - wanted));
  return apart.indexOf(Math.min(...apart));
}

/** @param {number} share */
function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

/** Give the ranges on the page their fields. */
export function start() {
  customElements.define("chosen-range", ChosenRange);
}
