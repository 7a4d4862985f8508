/** What a page has to load. */

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

const SOURCE = fileURLToPath(new URL("../src/", import.meta.url));

/** The bytes of modules as one, minified. @param {...string} names */
async function minified(...names) {
  const contents = names.map((name) => `export * from "./${name}.js";`).join("");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: SOURCE },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
  });
  return outputFiles[0].contents;
}

test("the device is under 20 kB, and its courier under 4.5 kB more", async () => {
  const [device, both] = [await minified("index"), await minified("index", "courier")];
  console.log(
    `device ${device.length} bytes (${gzipSync(device).length} zipped), with the courier ${both.length} (${gzipSync(both).length})`,
  );
  expect(device.length).toBeLessThan(20_000);
  expect(both.length - device.length).toBeLessThan(4_500);
});

test("nothing is imported from elsewhere", async () => {
  const { metafile } = await build({
    entryPoints: ["index", "courier", "stores/memory"].map((name) => `${SOURCE}${name}.js`),
    bundle: true,
    write: false,
    outdir: "unused",
    metafile: true,
  });
  expect(Object.keys(metafile.inputs).filter((path) => !path.startsWith("src/"))).toEqual([]);
});
