/**
 * Moving what this browser remembers: into a file under a passphrase, which ends it here, and out of one.
 *
 * @typedef {import("./session.js").Store} Store
 */

import { refuse } from "../device/errors.js";
import { moveIn, moveOut } from "../device/moving.js";
import { LEAST_LENGTH, MOST_BYTES } from "../device/passphrase.js";
import { button, download, el, errorPlace, newId, say, showError, step } from "./elements.js";
import { texts } from "./language.js";
import { is, messageFor } from "./problems.js";
import { number } from "./words.js";

const FILE = "discretion-state.bin";
const site = () => location.origin;

/** Both directions. @param {Store} store @param {() => void} changed */
export const moving = (store, changed) =>
  el("div", {}, leaving(store, changed), arriving(store, changed));

/**
 * What is shown where the state was moved: the file once more, and the way back.
 * @param {Store} store @param {Uint8Array} file @param {() => void} changed
 */
export function movedAway(store, file, changed) {
  const say = texts.moving;
  return step(
    say.movedTitle,
    null,
    el("p", {}, say.moved(FILE)),
    el("p", { class: "notice" }, say.check),
    el("p", { class: "actions" }, button(say.again, () => save(file), "main")),
    el("p", {}, say.once),
    arriving(store, changed),
  );
}

/** @param {Store} store @param {() => void} changed */
function leaving(store, changed) {
  const words = texts.moving;
  const first = secret(words.passphrase, words.passphraseNote(number(LEAST_LENGTH)), "new-password");
  const second = secret(words.repeat, "", "new-password");
  return form(words.outTitle, words.outNote, [first, second], words.out, async () => {
    if (first.control.value !== second.control.value) return second.fail(words.differ);
    try {
      save(await moveOut(store, first.control.value, site()));
      changed();
    } catch (refused) {
      first.fail(messageFor(refused));
    }
  });
}

/** @param {Store} store @param {() => void} changed */
function arriving(store, changed) {
  const words = texts.moving;
  const input = el("input", { type: "file" });
  const [file, phrase] = [field(words.file, "", input), secret(words.passphrase, "", "off")];
  return form(words.inTitle, words.inNote, [file, phrase], words.bring, async () => {
    const [chosen] = input.files ?? [];
    if (!chosen) return file.fail(words.noFile);
    try {
      if (chosen.size > MOST_BYTES) refuse("foreign_file");
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      const added = await moveIn(store, bytes, phrase.control.value, site());
      input.value = phrase.control.value = "";
      changed();
      return words.arrived(added);
    } catch (refused) {
      return (is(refused, "wrong_passphrase") ? phrase : file).fail(messageFor(refused));
    }
  });
}

/** @typedef {ReturnType<typeof field>} Field */

/**
 * @param {string} title @param {string} note @param {Field[]} fields @param {string} label
 * @param {() => Promise<string | void>} work gives what is to be said when it is done
 */
function form(title, note, fields, label, work) {
  const [done, id] = [el("p", { role: "status" }), newId("moving")];
  let busy = false;
  const submitted = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    for (const each of fields) each.fail("");
    say(done, texts.moving.working);
    say(done, (await work()) ?? "");
    busy = false;
  };
  return el(
    "form",
    {
      class: "moving",
      "aria-labelledby": id,
      onsubmit: (/** @type {Event} */ event) => void submitted(event),
    },
    el("h3", { id }, title),
    el("p", { class: "note" }, note),
    ...fields.map(({ element }) => element),
    el("button", { type: "submit" }, label),
    done,
  );
}

/** @param {string} label @param {string} note @param {string} complete what a browser may fill in */
const secret = (label, note, complete) =>
  field(label, note, el("input", { type: "password", autocomplete: complete }));

/** @param {string} label @param {string} note @param {HTMLInputElement} control */
function field(label, note, control) {
  const [id, error] = [newId("moving"), errorPlace()];
  const hint = note && `${id}-note`;
  control.id = id;
  if (hint) control.setAttribute("aria-describedby", hint);
  return {
    control,
    element: el(
      "div",
      { class: "field" },
      el("label", { for: id }, label),
      control,
      error,
      note && el("p", { class: "note", id: hint }, note),
    ),
    /** @param {string} text */
    fail(text) {
      showError(error, text, { control, hint });
      if (text) control.focus();
    },
  };
}

/** @param {Uint8Array} file */
const save = (file) => download(FILE, file, "application/octet-stream");
