/**
 * One exchange with a collector: a request as bare as fetch allows, and an answer within bounds.
 *
 * No cookies, no referrer, no cache; redirects are not followed.
 *
 * @typedef {{status: number, header: (name: string) => string | null, body: Uint8Array}} Reply
 */

import { CollectorError, CollectorUnreachable } from "./errors.js";

const LONGEST = 1 << 24; // bytes of an answer; plans with tables are the longest
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** A collector's base address in its one spelling. @param {string} text @param {boolean} insecure */
export function addressOf(text, insecure) {
  let url;
  try {
    url = new URL(text, globalThis.location?.href);
  } catch {
    throw new CollectorError("bad_address", text);
  }
  const { protocol, hostname, origin, pathname, href } = url;
  const bare = origin + pathname;
  if (!/^https?:$/.test(protocol) || href !== bare) throw new CollectorError("bad_address", origin);
  if (protocol === "http:" && !insecure && !LOOPBACK.test(hostname)) throw new CollectorError("not_https", bare);
  return bare.replace(/\/+$/, "");
}

/** @param {string} url @param {any} body sent as it is; undefined: it is a question @param {string | undefined} token @param {number} timeout seconds for a whole exchange @returns {Promise<Reply>} */
export async function exchange(url, body, token, timeout) {
  try {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      body,
      headers: {
        Accept: "application/json, application/problem+json",
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(1000 * timeout),
    });
    return { status: response.status, header: (name) => response.headers.get(name), body: await bodyOf(response) };
  } catch (error) {
    throw new CollectorUnreachable("no_answer", url, error);
  }
}

/** @param {Response} response */
async function bodyOf(response) {
  const chunks = /** @type {Uint8Array<ArrayBuffer>[]} */ ([]);
  const reader = response.body?.getReader();
  for (let length = 0; reader; ) {
    const { value } = await reader.read();
    if (!value) break;
    if ((length += value.length) > LONGEST) throw new Error("the answer is too long");
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
