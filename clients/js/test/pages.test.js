/** The owner's page in a release: a handful of files, and the same code. */

import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { bundle } from "../bin/pages.js";

const STATIC = fileURLToPath(new URL("../../../src/discretion/web/static/", import.meta.url));
const MOST = 6; // files to begin with: the page, what it shares with parts on demand, and one language

const folder = mkdtempSync(join(tmpdir(), "discretion-pages-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a few files are the whole page, each language by itself", async () => {
  cpSync(STATIC, folder, { recursive: true, dereference: true });
  const { metafile } = await bundle(folder);
  const named = Object.entries(metafile.outputs).map(([path, output]) => /** @type {const} */ ([basename(path), output]));
  const outputs = new Map(named);
  const texts = named.filter(([, { inputs }]) => Object.keys(inputs).some((path) => /texts\/\w+\.js$/.test(path)));
  expect(texts.map(([name]) => name.slice(0, 2)).sort()).toEqual(["ar", "de", "en", "fr"]);
  for (const [, { inputs }] of texts) expect(Object.keys(inputs).length).toBe(1);
  const first = new Set(["main.js", texts[0][0]]);
  for (const name of first)
    for (const { path, kind } of outputs.get(name)?.imports ?? [])
      if (kind === "import-statement") first.add(basename(path));
  expect(first.size).toBeLessThanOrEqual(MOST);
  const code = readFileSync(join(folder, "bundle", "main.js"), "utf8");
  expect(code).toContain("async function start(accept)"); // it can be read
  const size = [...first].reduce((all, name) => all + (outputs.get(name)?.bytes ?? 0), 0);
  console.log(`the owner's page: ${first.size} files to begin with, ${size} bytes`);
});
