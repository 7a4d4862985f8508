/**
 * Bundles the owner's page for a release: `node bin/pages.js .../web/static`.
 *
 * A browser then loads a few files instead of one for each module. They are not minified: whoever
 * takes part can read what runs. A checkout has no bundle, and serves its modules as they are.
 */

import { build } from "esbuild";
import { join } from "node:path";

/** @param {string} folder with the modules of the pages, and the device beside them */
export const bundle = (folder) =>
  build({
    entryPoints: [join(folder, "owner", "main.js")],
    outdir: join(folder, "bundle"),
    bundle: true,
    splitting: true, // what is loaded on demand stays in files of its own
    format: "esm",
    target: "es2022",
    charset: "utf8",
    metafile: true,
  });

if (process.argv[1] === import.meta.filename) await bundle(process.argv[2]);
