/** A device works out the codewords of its own cohort alone, however many cohorts a plan has. */

import { expect, test, vi } from "vitest";
import { encodingOf } from "../src/laws/encoding.js";
import { sha256 } from "../src/sha256.js";

vi.mock("../src/sha256.js", async (original) => {
  const real = /** @type {typeof import("../src/sha256.js")} */ (await original());
  return { ...real, sha256: vi.fn(real.sha256) };
});

test("the codewords of the largest plan take as many digests as one cohort has bits, and a few", () => {
  const [size, hashes] = [4096, 4];
  const encoding = encodingOf(size, { hashes, bits: 4096, cohorts: 64, ones: 750, zeros: 250 });
  expect(sha256).not.toHaveBeenCalled();
  for (const code of [0, 17, size - 1]) expect(encoding?.codeword(63, code).size).toBe(hashes);
  expect(vi.mocked(sha256).mock.calls.length).toBeLessThan(1.01 * size * hashes);
});
