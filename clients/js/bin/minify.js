/** Modules as one file, as small as a page's own tools can make it: bundled by esbuild, minified by SWC. */

import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { minify } from "@swc/wasm";
import { build } from "esbuild";

const SOURCE = fileURLToPath(new URL("../src/", import.meta.url));

/** All that a page can use of the device, with what sends. */
export const ALL = 'export * from "./index.js"; export * from "./upload.js";';

/** What it loads from beside itself for a plan that needs it. */
export const FURTHER = 'export * from "./laws/further.js";';

/** @param {string} contents of a module that stands beside the sources */
export async function minified(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: SOURCE },
    bundle: true,
    external: ["./further.js"], // as the registry calls it
    format: "esm",
    target: "es2022",
    write: false,
  });
  const { code } = await minify(outputFiles[0].text, {
    module: true,
    ecma: 2022,
    compress: { ecma: 2022, passes: 3, toplevel: true, unsafe_arrows: true }, // no function here has a this
    mangle: { toplevel: true },
  });
  return code;
}

/** Put both beside each other. @param {URL} folder */
export async function write(folder) {
  await mkdir(folder, { recursive: true });
  await writeFile(new URL("discretion.js", folder), await minified(ALL));
  await writeFile(new URL("further.js", folder), await minified(FURTHER));
}
