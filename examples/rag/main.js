/** Answers questions from text files: embeds their paragraphs, finds the nearest, and gives them to a chat model. */

import { createRuntime } from "infetch";
import OpenAI from "openai";
import { paragraphsOf, VectorIndex } from "./vector-index.js";

const CHAT_MODEL = "infetch-tiny";
const EMBEDDING_MODEL = "infetch-tiny-embed";
/** Paragraphs given to the chat model. */
const SOURCES = 3;

const connecting = createRuntime().then(
  ({ apiKey, baseURL, fetch }) => new OpenAI({ apiKey, baseURL, fetch, dangerouslyAllowBrowser: true }),
);
const index = new VectorIndex(async (input) => {
  const { data } = await (await connecting).embeddings.create({ model: EMBEDDING_MODEL, input });
  return data.map(({ embedding }) => embedding);
});

const element = (id) => document.getElementById(id);
const say = (text) => element("status").replaceChildren(text);

/** Runs work for an event, and shows its error. One at a time, as two answers would mix. What is inert loses the focus. */
const handle = (work) => async (event) => {
  event.preventDefault();
  const [target, focused] = [event.currentTarget, document.activeElement];
  target.inert = true;
  await work(target).catch((error) => say(error.message));
  target.inert = false;
  if (document.activeElement === document.body) focused?.focus();
};

async function addFiles(input) {
  for (const file of input.files) {
    say(`Reading ${file.name} …`);
    await index.add(file.name, paragraphsOf(await file.text()));
  }
  say(`${index.size} paragraphs.`);
}

async function ask(form) {
  if (index.size === 0) return say("Choose files first.");
  const question = new FormData(form).get("question");
  const sources = await index.search(question, SOURCES);
  element("sources").replaceChildren(
    ...sources.map(({ name, text }) =>
      Object.assign(document.createElement("li"), { textContent: `${name}: ${text}` }),
    ),
  );
  const openai = await connecting;
  const context = sources.map(({ text }) => text).join("\n\n");
  const stream = await openai.chat.completions.create({
    model: CHAT_MODEL,
    messages: [
      { role: "system", content: `Answer from this text only.\n\n${context}` },
      { role: "user", content: question },
    ],
    temperature: 0,
    stream: true,
  });
  element("answer").textContent = "";
  for await (const { choices } of stream) element("answer").append(choices[0]?.delta.content ?? "");
}

element("files").addEventListener("change", handle(addFiles));
document.querySelector("form").addEventListener("submit", handle(ask));
