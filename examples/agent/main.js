/** An agent: the model calls functions of this page until it can answer. */

import { createRuntime } from "infetch";
import OpenAI from "openai";
import { tools } from "./tools.js";

const MODEL = "infetch-tiny";
/** Calls of the model for one request. */
const MAX_ROUNDS = 5;

const connecting = createRuntime().then(
  ({ apiKey, baseURL, fetch }) => new OpenAI({ apiKey, baseURL, fetch, dangerouslyAllowBrowser: true }),
);

const answer = document.getElementById("answer");
const steps = document.getElementById("steps");

function show(step) {
  const item = document.createElement("li");
  item.textContent = step;
  steps.append(item);
}

async function run(request) {
  steps.replaceChildren();
  answer.textContent = "…";
  const openai = await connecting;
  const runner = openai.chat.completions.runTools(
    {
      model: MODEL,
      messages: [{ role: "user", content: request }],
      temperature: 0,
      max_tokens: 200,
      tools,
    },
    { maxChatCompletions: MAX_ROUNDS },
  );
  runner.on("functionToolCall", ({ name, arguments: text }) => show(`${name}(${text})`));
  runner.on("functionToolCallResult", (result) => show(`→ ${result}`));
  answer.textContent = await runner.finalContent();
}

document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const request = new FormData(event.currentTarget).get("request");
  const button = event.currentTarget.querySelector("button");
  // One request at a time: steps of two would mix.
  button.disabled = true;
  run(request)
    .catch((error) => {
      answer.textContent = error.message;
    })
    .finally(() => {
      button.disabled = false;
    });
});
