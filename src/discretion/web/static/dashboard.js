/**
 * Live updates: asks for the same page again and again, and takes over what changed in it. What is
 * open stays open, what has the focus keeps it; without this script the page is only not live.
 */
import { offerPictures } from "./pictures.js";
import { start as startRanges } from "./ranges.js";

const EVERY = 3000; // milliseconds from one answer to the next question,
const SOON = 700; // and while something is worked out
const LONGEST = 60000; // between questions that are not answered
const SPOKEN = 15000; // between two counts that are read out

const kept = /** @type {HTMLElement} */ (document.getElementById("status"));
const place = /** @type {HTMLElement} */ (document.getElementById("live"));
const spoken = document.createElement("p");
const button = document.createElement("button");
const note = document.createElement("span");

/** @type {WeakMap<Element, string>} what each box had when it came: scripts and readers change it */
const came = new WeakMap();

let tag = "";
let wait = EVERY;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let lastSpoken = 0;
let asking = false;

/** Ask once, and say when to ask again. */
async function ask() {
  clearTimeout(timer);
  if (asking || paused() || document.hidden) return;
  asking = true;
  try {
    const headers = new Headers(tag ? { "If-None-Match": tag } : {});
    const answer = await fetch(location.href, { headers, cache: "no-store", redirect: "error" });
    if (answer.status === 401 || answer.status === 403) return location.reload();
    if (answer.ok) take(await answer.text(), answer.headers.get("ETag") ?? "");
    else if (answer.status !== 304) throw new Error(String(answer.status));
    wait = pause();
    note.textContent = "";
  } catch {
    wait = Math.min(2 * wait, LONGEST);
    note.textContent = ` The server does not answer; the next try is in ${Math.round(wait / 1000)} seconds.`;
  } finally {
    asking = false;
  }
  if (!paused()) timer = setTimeout(ask, wait);
}

/** Take over what changed. @param {string} text @param {string} etag */
function take(text, etag) {
  const next = new DOMParser().parseFromString(text, "text/html");
  const sections = next.querySelectorAll("main > section");
  const known = document.querySelectorAll("main > section");
  if (names(sections) !== names(known)) return location.reload(); // the first reports, as a rule
  for (const box of next.querySelectorAll(".live")) {
    const known = document.getElementById(box.id);
    if (known) replace(known, box);
  }
  const count = next.getElementById("status")?.textContent ?? "";
  if (count !== kept.textContent) {
    kept.textContent = count;
    speak(count);
  }
  tag = etag;
}

/** @param {NodeListOf<Element>} sections */
function names(sections) {
  return [...sections].map((section) => section.querySelector(".live")?.id).join();
}

/**
 * Replace what is in a box, unless it is the same, or somebody selects text in it.
 * @param {Element} box
 * @param {Element} next
 */
function replace(box, next) {
  const text = next.innerHTML;
  if (came.get(box) === text || selected(box) || box.querySelector("input:active")) return;
  came.set(box, text);
  const open = [...box.querySelectorAll("details[open]")].map((each) => each.id);
  const scrolled = [...box.querySelectorAll(".wide")].map(({ id, scrollLeft }) => ({ id, scrollLeft }));
  const { activeElement } = document;
  const focused = activeElement && box.contains(activeElement) ? mark(activeElement) : null;
  box.replaceChildren(...document.adoptNode(next).childNodes);
  offerPictures(box);
  offerLinks(box);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const { id, scrollLeft } of scrolled) {
    const wide = document.getElementById(id);
    if (wide) wide.scrollLeft = scrollLeft;
  }
  if (focused) find(focused)?.focus({ preventScroll: true });
}

/** @param {Element} box */
function selected(box) {
  const chosen = getSelection();
  return chosen !== null && !chosen.isCollapsed && box.contains(chosen.anchorNode);
}

/** Tell an element by its id, or its parent's, or where its link leads. @param {Element} element */
function mark(element) {
  return { id: element.id, parent: element.parentElement?.id ?? "", link: element.getAttribute("href") };
}

/** @param {ReturnType<typeof mark>} mark @returns {HTMLElement | null | undefined} */
function find({ id, parent, link }) {
  if (id) return document.getElementById(id);
  if (link) return document.querySelector(`a[href="${CSS.escape(link)}"]`);
  return parent ? document.getElementById(parent)?.querySelector("summary") : null;
}

/** Have a count read out, but not all the time. @param {string} count */
function speak(count) {
  if (Date.now() - lastSpoken < SPOKEN) return;
  lastSpoken = Date.now();
  spoken.textContent = count;
}

/** How long to wait before asking again. */
function pause() {
  return document.querySelector(".pending") ? SOON : EVERY;
}

/** Offer to copy the address of what is shown. @param {ParentNode} place */
function offerLinks(place) {
  for (const link of place.querySelectorAll("a.link")) {
    const copy = document.createElement("button");
    copy.type = "button";
    copy.textContent = "Copy link";
    copy.addEventListener("click", async () => {
      await navigator.clipboard?.writeText(/** @type {HTMLAnchorElement} */ (link).href);
      spoken.textContent = copy.textContent = "Link copied";
    });
    link.after(" ", copy);
  }
}

/** Where there is little room, what can be chosen from is folded at first. */
function foldContents() {
  if (matchMedia("(max-width: 60rem)").matches) document.getElementById("contents")?.removeAttribute("open");
}

function paused() {
  return button.getAttribute("aria-pressed") !== "true";
}

function start() {
  for (const box of document.querySelectorAll(".live")) came.set(box, box.innerHTML);
  startRanges();
  offerPictures(document);
  offerLinks(document);
  foldContents();
  spoken.className = "unseen";
  spoken.setAttribute("role", "status");
  button.type = "button";
  button.textContent = "Live updates";
  button.setAttribute("aria-pressed", "true");
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(paused()));
    ask();
  });
  place.append(button, note);
  place.hidden = false;
  document.body.append(spoken);
  document.addEventListener("visibilitychange", ask);
  timer = setTimeout(ask, pause());
}

start();
