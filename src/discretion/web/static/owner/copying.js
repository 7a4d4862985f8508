/** Saving what this browser remembers as a file, and joining such a file to what it remembers. */

import { backup, restore } from "../device/backup.js";
import { button, el, errorPlace, newId, say, showError } from "./elements.js";
import { messageFor } from "./problems.js";
import { counted } from "./words.js";

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
      "The copy is a file with your answers, reports and receipts in plain text. Keep it as carefully as the answers themselves. Use it in one browser at a time: two browsers that go on from one copy draw separately, and so tell more.",
    ),
    button("Save a copy", () => void save()),
    el("label", { for: id }, "Restore from a copy"),
    input,
    error,
    el(
      "p",
      { class: "note", id: `${id}-note` },
      "What the copy has is added; nothing that this browser has is replaced or forgotten. Restore only a file that you saved here yourself: a file that somebody else made can decide what your reports say.",
    ),
    done,
  );

  async function save() {
    const copy = new Blob([await backup(store)], { type: "application/json" });
    el("a", { href: URL.createObjectURL(copy), download: FILE }).click(); // needed until it is written
    say(done, `Saved as ${FILE}.`);
  }

  async function join() {
    const [file] = input.files ?? [];
    if (!file) return;
    const hint = { control: input, hint: `${id}-note` };
    say(done, "");
    try {
      const added = await restore(store, await file.text());
      showError(error, "", hint);
      say(done, `The copy is restored: ${counted(added, "report")} added.`);
      restored();
    } catch (refused) {
      showError(error, messageFor(refused), hint);
    }
    input.value = "";
  }
}
