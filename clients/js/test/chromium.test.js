/** The device in Chromium: its time, its store on the disk, its upload client. */

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const CHROMIUM = NAMES.map((name) => `/usr/bin/${name}`).find(existsSync);
const PAGE =
  "<!doctype html><meta charset=utf-8><title>device</title><script type=module src=/page.js></script>";
const NUMBERS = ["window", "pm", "hm", "sw", "laplace", "duchi"];
const LABELS = [
  "subset",
  "oue",
  "sue",
  "grr",
  { rappor: { hashes: 2, bits: 64, cohorts: 8, ones: 750, zeros: 500 } },
  "olh",
  "hadamard",
  "the",
];

/** Sixteen attributes: labels of fifty values, numbers on grids of 668 points. */
const attributes = Array.from({ length: 16 }, (_, i) => {
  const values = Array.from({ length: 50 }, (_, code) => `value ${code}`);
  return i % 2
    ? {
        name: `a${i}`,
        kind: "numeric",
        range: [0, 2001],
        step: 3,
        exponent: -1,
        mechanism: NUMBERS[(i >> 1) % 6],
      }
    : {
        name: `a${i}`,
        kind: "categorical",
        values,
        fallback: values[0],
        mechanism: LABELS[i >> 1],
      };
});
const plan = canonical({
  format: 1,
  name: "sixteen",
  contract: "attribute",
  allocation: "disclosed",
  share: { least: 1 },
  budget: { levels: [500, 1000, 2000] },
  attributes,
});
const record = Object.fromEntries(
  attributes.map(({ name }, i) => [name, i % 2 ? 12.34567 * i : `value ${3 * i}`]),
);

/** @param {any} value @returns {string} */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)}}`;
}

test.skipIf(!CHROMIUM && !process.env.CI)(
  "a page perturbs sixteen attributes, keeps them and sends them",
  async () => {
    const source = fileURLToPath(new URL("page.js", import.meta.url));
    const { outputFiles } = await build({
      entryPoints: [source],
      bundle: true,
      minify: true,
      format: "esm",
      write: false,
    });
    /** @type {string[]} */
    const got = [];
    /** @type {(result: any) => void} */
    let finish;
    const finished = new Promise((resolve) => (finish = resolve));
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        const json = { "Content-Type": "application/json" };
        if (request.url === "/") response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
        else if (request.url === "/page.js")
          response.writeHead(200, { "Content-Type": "text/javascript" }).end(outputFiles[0].text);
        else if (request.url === "/given")
          response.writeHead(200, json).end(JSON.stringify({ plan, record }));
        else if (request.url === "/v1/plan") response.writeHead(200, json).end(plan);
        else if (request.url === "/v1/reports") {
          got.push(body);
          response.writeHead(201, json).end('{"outcome":"accepted"}');
        } else {
          response.writeHead(204).end();
          if (request.url === "/result") finish(JSON.parse(body));
        }
      });
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(0)));
    const address = /** @type {import("node:net").AddressInfo} */ (server.address());
    const profile = mkdtempSync(join(tmpdir(), "discretion-"));
    const options = [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      `--user-data-dir=${profile}`,
    ];
    const browser = spawn(
      /** @type {string} */ (CHROMIUM),
      [...options, `http://127.0.0.1:${address.port}/`],
      { detached: true },
    );
    let said = "";
    browser.stdout.resume();
    browser.stderr.on("data", (chunk) => (said += chunk));
    // Its group, and all who hold its streams: a helper that still writes would keep the folder.
    const gone = new Promise((resolve) => browser.once("close", resolve));
    try {
      const result = await Promise.race([finished, gone.then(() => ({ error: said }))]);
      console.log(JSON.stringify({ ...result, again: undefined }));
      expect(result.error).toBeUndefined();
      expect(result.median).toBeGreaterThan(0); // milliseconds, printed above: no bound, as machines differ
      expect(result.deliveries).toEqual([
        { round: 0, outcome: "accepted", reason: "", withdrawal: false },
      ]);
      expect(got).toEqual([result.again]);
      expect(result.spent).toBe(result.total);
    } finally {
      if (browser.exitCode === null)
        process.kill(-(/** @type {number} */ (browser.pid)), "SIGKILL");
      await gone;
      server.closeAllConnections();
      server.close();
      rmSync(profile, { recursive: true, force: true });
    }
  },
  60_000,
);
