/** The upload client sends what was sealed and acts on each answer by its rule (scripted collector). */

import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { budgetOf } from "../src/budget.js";
import { uploadClient } from "../src/upload.js";
import { report } from "../src/device.js";
import { encoded, hex } from "../src/bytes.js";
import { idOf } from "../src/report.js";
import { sha256 } from "../src/sha256.js";
import { pinned, sealedIn, settle } from "../src/state.js";
import { memory } from "../src/stores/memory.js";
import { addressOf } from "../src/transport.js";
import { each, golden, planOf } from "./golden.js";

const { plans } = golden("inputs");
const plan = await planOf(plans.commuters);
const budget = budgetOf(plan, { mode: 3.5, income: 0.5 });
const record = { mode: "bike", income: 31257 };

/**
 * @typedef {{status: number, body?: string, headers?: Record<string, string>} | "hang up" | "never"}
 *   Step
 */

/**
 * @type {{method?: string, url?: string, headers: import("node:http").IncomingHttpHeaders, body: string}[]}
 */
let got;
/** @type {Record<string, Step[]>} */
let script;
/** @type {string} */
let document;
/** @type {Map<string, string>} */
let kept;
/** @type {import("node:http").Server} */
let server;
/** @type {string} */
let url;
/** @type {import("../src/stores/store.js").Store} */
let store;
/** @type {number[]} */
let slept;

const json = { "Content-Type": "application/json; charset=utf-8" };
const problem = { "Content-Type": "application/problem+json" };

/** What a proxy, a portal or another program answers in place of the collector. */
const FOREIGN = [
  ...[200, 400, 404, 409, 410, 422, 425].map((status) => ({
    status,
    body: "<h1>We are back soon</h1>",
    headers: { "Content-Type": "text/html" },
  })),
  { status: 204 },
  { status: 410 },
  { status: 200, body: '{"status":"ok"}', headers: json },
  { status: 200, body: '["accepted","deleted"]', headers: json },
  { status: 200, body: '"deleted"', headers: json },
  { status: 200, body: "null", headers: json },
  { status: 200, body: '{"outcome":"deleted"', headers: json },
  { status: 200, body: '{"outcome":"deleted"}', headers: { "Content-Type": "text/plain" } },
  { status: 200, body: '{"outcome":"deleted"}', headers: problem },
  {
    status: 200,
    body: '{"outcome":"deleted"}',
    headers: { "Content-Type": "application/json-seq" },
  },
  ...[404, 410, 422].flatMap((status) => [
    { status, body: '{"reason":"not here"}', headers: json },
    { status, body: '{"title":"No route"}', headers: problem },
    { status, body: `{"type":"about:blank","status":${status}}`, headers: problem },
    { status, body: '{"type":"urn:other:problem:not_found"}', headers: problem },
    { status, body: '{"type":["urn:discretion"]}', headers: problem },
    { ...problemOf(400, "refused"), status },
    { status, body: '{"type":"urn:discretion:problem:unknown_receipt"}', headers: json },
    problemOf(404, "not_found"), // its own, but of a path that a proxy has rewritten
    { status, body: "[]", headers: problem },
  ]),
];

/** What the contract says. @param {string} path @param {string} body @returns {Step} */
function answer(path, body) {
  if (path === "/v1/plan")
    return {
      status: 200,
      body: document,
      headers: { ...json, ETag: `"${hex(sha256(encoded(document)))}"` },
    };
  if (path === "/v1/reports") {
    const { id } = JSON.parse(body);
    const before = kept.get(id);
    kept.set(id, before ?? body);
    return before === undefined || before === body
      ? {
          status: before ? 200 : 201,
          body: JSON.stringify({ outcome: before ? "duplicate" : "accepted" }),
          headers: json,
        }
      : problemOf(409, "conflict", { reason: "conflict" });
  }
  const id = idOf(
    Uint8Array.from(JSON.parse(body).receipt.match(/../g), (/** @type {string} */ b) =>
      parseInt(b, 16),
    ),
  );
  return kept.delete(id)
    ? { status: 200, body: '{"outcome":"deleted"}', headers: json }
    : problemOf(404, "unknown_receipt", { title: "No report" });
}

/**
 * A problem document of the collector.
 * @param {number} status @param {string} name @param {object} [more]
 */
function problemOf(status, name, more) {
  const body = JSON.stringify({ type: `urn:discretion:problem:${name}`, status, ...more });
  return { status, body, headers: problem };
}

beforeEach(async () => {
  [got, script, kept, slept, document] = [[], {}, new Map(), [], plans.commuters];
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      got.push({ method: request.method, url: path, headers: request.headers, body });
      const step = script[path]?.shift() ?? answer(path, body);
      if (step === "hang up") request.socket.destroy();
      else if (step !== "never") response.writeHead(step.status, step.headers).end(step.body);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(0)));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  store = memory();
});

afterEach(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));

/** @param {Parameters<typeof uploadClient>[2]} [options] */
function client(options = {}) {
  let time = 0;
  const retry = {
    clock: () => time,
    now: () => 1e9,
    dice: () => 1,
    sleep: async (/** @type {number} */ s) => void (slept.push(s), (time += s)),
    ...options?.retry,
  };
  return uploadClient(url, store, { ...options, retry });
}

/** @param {number} [round] */
const seal = (round = 0) => report(plan, store, record, budget, { round, pace: 0 });
const sent = () =>
  got.filter((request) => request.url === "/v1/reports").map((request) => request.body);
const fate = async () => (await sealedIn(store, plan.id, 0))?.fate;

test("a report is sent as it was sealed, and acknowledged", async () => {
  const bytes = await seal();
  expect(await client().deliver()).toEqual([
    { round: 0, outcome: "accepted", reason: "", withdrawal: false },
  ]);
  expect(sent()).toEqual([new TextDecoder().decode(bytes)]);
  expect(await client().deliver()).toEqual([]);
  expect(await fate()).toEqual({ outcome: "accepted", reason: "" });
});

test("a request reveals only what it must", async () => {
  await seal();
  await client({ token: "secret" }).deliver();
  for (const { headers } of got) {
    expect(headers.cookie ?? headers.referer ?? headers.origin).toBeUndefined();
    expect(headers.authorization).toBe("Bearer secret");
  }
});

describe("after a failure the same bytes go again", () => {
  test.each(
    /** @type {[Step][]} */ ([
      ["hang up"],
      [{ status: 500 }],
      [{ status: 503 }],
      [{ status: 429 }],
      [{ status: 408 }],
    ]),
  )("%o", async (step) => {
    await seal();
    script["/v1/reports"] = [step, step];
    expect((await client().deliver())[0].outcome).toBe("accepted");
    expect([sent().length, new Set(sent()).size]).toEqual([3, 1]);
    expect(slept).toEqual([1, 2]);
  });
});

test("an answer that was lost is a duplicate, which settles", async () => {
  await seal();
  kept.set(
    JSON.parse(new TextDecoder().decode((await sealedIn(store, plan.id, 0))?.report)).id,
    new TextDecoder().decode((await sealedIn(store, plan.id, 0))?.report),
  );
  expect((await client().deliver())[0].outcome).toBe("duplicate");
});

test("once the retry policy allows no attempt, what is left is kept untried", async () => {
  await seal(0);
  await seal(1);
  script["/v1/reports"] = Array(9).fill(problemOf(503, "unavailable", { title: "Busy" }));
  const deliveries = await client().deliver();
  expect(deliveries.map((delivery) => delivery.outcome)).toEqual(["kept", "kept"]);
  expect(deliveries[1].reason).toContain("status 503: Busy; tried 5 times");
  expect(sent()).toHaveLength(5);
  expect(await fate()).toBeUndefined();
});

test("a collector can ask to come later, but not too late", async () => {
  await seal();
  script["/v1/reports"] = [
    { status: 429, headers: { "Retry-After": "30" } },
    { status: 503, headers: { "Retry-After": new Date((1e9 + 7) * 1000).toUTCString() } },
  ];
  await client().deliver();
  expect(slept).toEqual([31, 9]);
  await seal(1);
  script["/v1/reports"] = [{ status: 429, headers: { "Retry-After": "3600" } }];
  expect((await client().deliver())[0].outcome).toBe("kept");
  expect(slept).toEqual([31, 9]);
});

/** @type {[Exclude<Step, string>, string][]} */
const MEANINGS = [
  [problemOf(410, "deleted"), "deleted"],
  [problemOf(425, "too_early"), "kept"],
  [problemOf(422, "refused", { reason: "level_off_menu", detail: "mode" }), "dropped"],
  [problemOf(409, "conflict"), "dropped"],
  [problemOf(404, "not_found"), "kept"],
  [problemOf(405, "method_not_allowed"), "kept"],
  [{ status: 200, body: '{"outcome":"maybe"}', headers: json }, "kept"],
  ...FOREIGN.map((step) => /** @type {[Exclude<Step, string>, string]} */ ([step, "kept"])),
];

test.each(MEANINGS)("an answer %o means %s", async (step, outcome) => {
  await seal();
  script["/v1/reports"] = [step];
  expect((await client().deliver())[0].outcome).toBe(outcome);
  expect((await fate())?.outcome).toBe(outcome === "kept" ? undefined : outcome);
  const again = await client().deliver();
  expect(again.map((delivery) => delivery.outcome)).toEqual(outcome === "kept" ? ["accepted"] : []);
  if (step.status === 422 && outcome === "dropped")
    expect((await fate())?.reason).toBe("status 422: level_off_menu: mode");
  await expect(report(plan, store, { ...record, mode: "car" }, budget)).rejects.toThrow(
    "other_record",
  );
});

test.each([401, 403])(
  "a token that is needed (%i) is an error, and the report is kept",
  async (status) => {
    await seal();
    script["/v1/reports"] = [{ status }];
    await expect(client().deliver()).rejects.toMatchObject({ reason: "token_needed" });
    expect((await client().deliver())[0].outcome).toBe("accepted");
  },
);

test("a redirect is not followed, and the report is kept", async () => {
  await seal();
  script["/v1/reports"] = Array(5).fill({ status: 307, headers: { Location: "/v1/plan" } });
  expect((await client().deliver())[0].outcome).toBe("kept");
  script["/v1/reports"] = [{ status: 304 }];
  await expect(client().deliver()).rejects.toMatchObject({ reason: "redirect" });
  expect((await client().deliver())[0].outcome).toBe("accepted");
});

test("a token that is none is refused and not repeated, and a failure is not remembered", async () => {
  for (const token of ["", "two words", "line\nbreak", "smörgås"]) {
    expect(() => client({ token })).toThrow(/^http:\/\/127.0.0.1:\d+: bad_token$/);
  }
  const one = client();
  script["/v1/plan"] = Array(5).fill("hang up");
  await expect(one.plan()).rejects.toMatchObject({ reason: "no_answer" });
  expect((await one.plan()).id).toBe(plan.id);
});

test("an answer that does not come in time is none, and the report is kept", async () => {
  await seal();
  await client().plan();
  script["/v1/reports"] = ["never"];
  const [delivery] = await client({ timeout: 0.2, retry: { tries: 1 } }).deliver();
  expect([delivery.outcome, delivery.reason]).toEqual([
    "kept",
    expect.stringContaining("no answer"),
  ]);
});

test("a plan is pinned; another is refused before anything is sent, unless it is named", async () => {
  await client().plan();
  await seal();
  document = plans.levels;
  const other = (await planOf(document)).id;
  await expect(client().deliver()).rejects.toMatchObject({
    reason: "plan_changed",
    value: other,
    bound: plan.id,
  });
  expect(sent()).toEqual([]);
  await expect(client({ accept: plan.id }).plan()).rejects.toMatchObject({
    reason: "plan_changed",
  });
  expect((await client({ accept: other }).plan()).id).toBe(other);
  expect(await pinned(store, url)).toBe(other);
});

test("a plan that is not what its tag says, or none at all, is refused", async () => {
  script["/v1/plan"] = [
    { status: 200, body: plans.commuters, headers: { ETag: '"0"' } },
    { status: 404 },
    { status: 200, body: "{}" },
  ];
  await expect(client().plan()).rejects.toThrow("bad_tag");
  await expect(client().plan()).rejects.toThrow("no_plan");
  await expect(client().plan()).rejects.toMatchObject({ reason: "not_allowed" });
  expect(await pinned(store, url)).toBeUndefined();
});

test("a report is withdrawn by its receipt, and never leaves again", async () => {
  await seal();
  await client().deliver();
  expect(await client().withdraw()).toEqual({
    round: 0,
    outcome: "deleted",
    reason: "",
    withdrawal: true,
  });
  const { body } = got[got.length - 1];
  expect(body).toBe(
    `{"receipt":"${hex((await sealedIn(store, plan.id, 0))?.receipt ?? new Uint8Array())}"}`,
  );
  expect(kept.size).toBe(0);
  const requests = got.length;
  expect((await client().withdraw()).outcome).toBe("deleted");
  expect(got).toHaveLength(requests);
  expect(await client().deliver()).toEqual([]);
});

test("a withdrawal that is not answered goes again, one of nothing is unknown", async () => {
  await client().plan();
  await seal();
  script["/v1/deletions"] = [{ status: 404, body: "no such page" }];
  expect((await client().withdraw()).outcome).toBe("kept");
  expect((await client().deliver()).map((d) => [d.outcome, d.withdrawal])).toEqual([
    ["unknown", true],
  ]);
  expect(sent()).toEqual([]);
  await expect(client().withdraw(5)).rejects.toThrow("no_report");
});

test.each([
  ...each(FOREIGN),
  [{ status: 200, body: '{"outcome":"accepted"}', headers: json }],
  [problemOf(422, "invalid")],
  [problemOf(410, "deleted")],
])("an answer %o does not settle a withdrawal, which goes again", async (step) => {
  await seal();
  await client().deliver();
  script["/v1/deletions"] = [step];
  expect((await client().withdraw()).outcome).toBe("kept");
  expect((await sealedIn(store, plan.id, 0))?.withdrawn).toBe("kept");
  expect((await client().deliver()).map((d) => [d.outcome, d.withdrawal])).toEqual([
    ["deleted", true],
  ]);
});

test("a redirect does not settle a withdrawal", async () => {
  await seal();
  await client().deliver();
  script["/v1/deletions"] = Array(5).fill({ status: 302, headers: { Location: "/v1/plan" } });
  expect((await client().withdraw()).outcome).toBe("kept");
  script["/v1/deletions"] = [{ status: 304 }];
  await expect(client().withdraw()).rejects.toMatchObject({ reason: "redirect" });
  expect((await client().withdraw()).outcome).toBe("deleted");
});

test("a report that arrives after its withdrawal is withdrawn again", async () => {
  await client().plan();
  await seal();
  expect((await client().withdraw()).outcome).toBe("unknown");
  await settle(store, plan.id, 0, "accepted", "");
  expect((await sealedIn(store, plan.id, 0))?.withdrawn).toBe("kept");
});

test("addresses are https, bare, or on this machine", () => {
  expect(addressOf("https://a.example/x/", false)).toBe("https://a.example/x");
  for (const good of ["http://localhost:8000", "http://127.0.0.1", "http://[::1]:1"])
    expect(addressOf(good, false)).toBe(good);
  for (const bad of [
    "http://a.example",
    "ftp://a",
    "nonsense",
    "https://u:p@a.example",
    "https://a.example/?q",
    "https://a.example/#f",
  ]) {
    expect(() => addressOf(bad, false), bad).toThrow();
  }
  expect(addressOf("http://a.example", true)).toBe("http://a.example");
});
