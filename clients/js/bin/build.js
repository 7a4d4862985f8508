/** Writes dist: the device and its upload client in one minified module, and what that loads on demand. */

import { write } from "./minify.js";

await write(new URL("../dist/", import.meta.url));
