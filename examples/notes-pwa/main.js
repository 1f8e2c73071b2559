/** Notes that stay on the device, each with a title by a model that runs there. Works without a network. */

import { createRuntime } from "infetch";
import OpenAI from "openai";

const KEY = "notes";
const status = document.getElementById("status");
const list = document.getElementById("notes");

navigator.serviceWorker.register("sw.js");
navigator.serviceWorker.ready.then(() => {
  document.documentElement.dataset.offline = "ready";
});

const read = () => JSON.parse(localStorage.getItem(KEY) ?? "[]");
const connecting = createRuntime().then(
  ({ apiKey, baseURL, fetch }) => new OpenAI({ apiKey, baseURL, fetch, dangerouslyAllowBrowser: true }),
);

/** @param change gets what is stored now: another tab may have added notes */
function save(change) {
  localStorage.setItem(KEY, JSON.stringify(change(read())));
  show();
}

function show() {
  list.replaceChildren(
    ...read().map(({ title, text }) => {
      const item = document.createElement("li");
      const heading = document.createElement("strong");
      heading.textContent = title;
      item.append(heading, ` ${text}`);
      return item;
    }),
  );
}

async function titleOf(text) {
  const openai = await connecting;
  const { choices } = await openai.chat.completions.create({
    model: "infetch-tiny",
    messages: [{ role: "user", content: `A title of three words for this note: ${text}` }],
    temperature: 0,
    max_tokens: 12,
  });
  return choices[0].message.content.trim();
}

document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const note = { id: crypto.randomUUID(), text: new FormData(form).get("note"), title: "Untitled" };
  // Saved first: a note is never lost to a model that fails.
  save((notes) => [...notes, note]);
  form.reset();
  status.textContent = "Finding a title …";
  try {
    // A reply may be empty.
    const title = (await titleOf(note.text)) || note.title;
    save((notes) => notes.map((other) => (other.id === note.id ? { ...note, title } : other)));
    status.textContent = "Saved.";
  } catch (error) {
    status.textContent = `Saved without a title: ${error.message}`;
  }
});

addEventListener("storage", show);
show();
