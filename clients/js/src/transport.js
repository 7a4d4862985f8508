/**
 * One exchange with a collector: a request as bare as fetch allows.
 *
 * No cookies, no referrer, no cache; redirects are not followed.
 *
 * @typedef {{
 *   status: number,
 *   header: (name: string) => string | null,
 *   body: Uint8Array,
 *   outcome?: unknown,
 *   problem?: string,
 *   said: string,
 * }} Reply ``outcome``: what a success states in a JSON document; ``problem``: the name of a problem of
 *   the collector itself, and not of a gateway before it; ``said``: what it says, in one short line
 */

import { refuse } from "./errors.js";

const SHOWN = 200; // characters of what a collector says
const PROBLEM = /^urn:discretion:problem:(\w+)$/; // the type of every problem document of a collector
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * A collector's base address in its one spelling.
 * @param {string} text
 * @param {boolean} [insecure]
 */
export function addressOf(text, insecure) {
  let url;
  try {
    url = new URL(text, globalThis.location?.href);
  } catch {
    refuse("bad_address", text);
  }
  const { protocol, hostname, origin, pathname, href } = url;
  if (!/^https?:$/.test(protocol) || href !== origin + pathname) refuse("bad_address", text);
  if (protocol === "http:" && !insecure && !LOOPBACK.test(hostname)) refuse("not_https", text);
  return href.replace(/\/+$/, "");
}

/**
 * @param {string} url
 * @param {any} body sent as it is; undefined: it is a question
 * @param {string | undefined} token
 * @param {number} timeout seconds for a whole exchange
 * @returns {Promise<Reply>}
 */
export async function exchange(url, body, token, timeout) {
  const json = "application/json";
  const response = await fetch(url, {
    method: body && "POST",
    body,
    headers: {
      Accept: json + ", application/problem+json",
      ...(body && { "Content-Type": json }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout(1000 * timeout),
  });
  const { status, headers } = response;
  const kind = /^application\/(problem\+)?json *(;|$)/i.exec(headers.get("content-type") ?? "");
  const bytes = await response.arrayBuffer();
  let content;
  try {
    content = kind && JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // it is not what it says it is
  }
  const words = [content?.reason || content?.title, content?.detail].filter(
    (word) => typeof word === "string",
  );
  return {
    status,
    header: (name) => headers.get(name),
    body: new Uint8Array(bytes),
    outcome: response.ok && !kind?.[1] ? content?.outcome : undefined,
    problem: kind?.[1] && content?.status === status ? PROBLEM.exec(content.type)?.[1] : undefined,
    said: [`status ${status}`, ...words]
      .join(": ")
      .replace(/[\p{C}\p{Z}]+/gu, " ")
      .slice(0, SHOWN),
  };
}
