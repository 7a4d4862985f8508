/**
 * A hundred people, or a hundred guesses, as dots: how many are filled can be seen at a glance, and
 * without colours.
 */

import { drawn, fill, set } from "./elements.js";

const SIDE = 10; // dots
const PITCH = 10; // units from one to the next
const [LARGE, SMALL] = [3.9, 2.4]; // radii

/** An empty picture. */
export function dots() {
  const size = SIDE * PITCH;
  return drawn("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", class: "dots" });
}

/**
 * @param {Element} picture
 * @param {{kinds: [string, number][], text: string}} shown how many of each kind, in order: "own", the
 *   large and filled ones; "chance", small and filled; "other", hollow
 */
export function draw(picture, { kinds, text }) {
  const order = kinds.flatMap(([kind, count]) => Array(count).fill(kind));
  set(picture, "aria-label", text);
  fill(
    picture,
    ...order.slice(0, SIDE * SIDE).map((kind, i) =>
      drawn("circle", {
        class: kind,
        cx: (i % SIDE) * PITCH + PITCH / 2,
        cy: Math.floor(i / SIDE) * PITCH + PITCH / 2,
        r: kind === "chance" ? SMALL : LARGE,
      }),
    ),
  );
}
