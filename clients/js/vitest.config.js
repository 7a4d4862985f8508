import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.js"],
    pool: "threads",
    testTimeout: 120_000, // milliseconds: a machine may be busy
  },
});
