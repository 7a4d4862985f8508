/** Saving what this browser remembers as a file, and joining such a file to what it remembers. */

import { backup, restore } from "../device/backup.js";
import { button, download, el, errorPlace, newId, say, showError } from "./elements.js";
import { texts } from "./language.js";
import { messageFor } from "./problems.js";

const FILE = "discretion-memory.json";

/**
 * @param {import("./session.js").Store} store
 * @param {() => void} restored
 */
export function copying(store, restored) {
  const [id, error] = [newId("copy"), errorPlace()];
  const done = el("p", { role: "status" });
  const input = el("input", {
    id,
    type: "file",
    accept: ".json,application/json",
    "aria-describedby": `${id}-note`,
    onchange: () => void join(),
  });
  return el(
    "div",
    { class: "field" },
    el(
      "p",
      { class: "note" },
      texts.memory.copyNote,
    ),
    button(texts.memory.save, () => void save()),
    el("label", { for: id }, texts.memory.restore),
    input,
    error,
    el(
      "p",
      { class: "note", id: `${id}-note` },
      texts.memory.restoreNote,
    ),
    done,
  );

  async function save() {
    download(FILE, await backup(store), "application/json");
    say(done, texts.memory.saved(FILE));
  }

  async function join() {
    const [file] = input.files ?? [];
    if (!file) return;
    const hint = { control: input, hint: `${id}-note` };
    say(done, "");
    try {
      const added = await restore(store, await file.text());
      showError(error, "", hint);
      say(done, texts.memory.restored(added));
      restored();
    } catch (refused) {
      showError(error, messageFor(refused), hint);
    }
    input.value = "";
  }
}
