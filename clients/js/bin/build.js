/** Writes dist/discretion.js: the device and its courier in one minified module. */

import { mkdir, writeFile } from "node:fs/promises";
import { ALL, minified } from "./minify.js";

const DIST = new URL("../dist/", import.meta.url);

await mkdir(DIST, { recursive: true });
await writeFile(new URL("discretion.js", DIST), await minified(ALL));
