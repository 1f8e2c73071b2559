/** The demo: a chat with the model in the page. Puts the parts together and nothing else. */

import { createRuntime } from "infetch";
import { Chat } from "./chat.ts";
import { CODE_SAMPLE } from "./code-sample.ts";
import { Composer } from "./composer.ts";
import { create, element } from "./elements.ts";
import { hideProgress, showProgress } from "./load-bar.ts";
import { Transcript } from "./transcript.ts";

const SUGGESTIONS = ["Hello! Who are you?", "What does infetch do?", "What is 12 + 30?"];

const state = element("state", HTMLElement);
const transcript = new Transcript(element("log", HTMLElement), element("empty", HTMLElement));

function showState(kind: "ready" | "busy" | "problem", text: string): void {
  state.dataset.kind = kind;
  state.textContent = text;
}

/** Why no model can run here, or undefined. */
async function findObstacle(): Promise<string | undefined> {
  const how = "Use a current Chrome, Edge or Safari, with hardware acceleration turned on.";
  if (!isSecureContext) return "WebGPU needs a secure page: open it over https or on localhost.";
  if (!("gpu" in navigator)) return `This browser has no WebGPU. ${how}`;
  const adapter = await navigator.gpu.requestAdapter().catch(() => null);
  return adapter ? undefined : `WebGPU found no graphics adapter on this device. ${how}`;
}

function showObstacle(text: string): void {
  const empty = element("empty", HTMLElement);
  empty.classList.add("obstacle");
  empty.replaceChildren(create("h2", "", "No model can run here"), create("p", "", text));
  showState("problem", "Not available");
}

async function start(): Promise<void> {
  element("code", HTMLElement).textContent = CODE_SAMPLE;
  const obstacle = await findObstacle();
  if (obstacle !== undefined) return showObstacle(obstacle);
  const runtime = await createRuntime();
  runtime.on("progress", showProgress);
  const chat = new Chat(runtime);

  const reply = async (text: string): Promise<void> => {
    const view = transcript.addReply();
    showState("busy", "Writing");
    try {
      view.finish(await composer.whileBusy((signal) => chat.say(text, view.append, signal)));
      showState("ready", "Ready");
    } catch (error) {
      hideProgress();
      view.fail(reasonOf(error), () => void reply(text));
      showState("problem", "The last message failed");
    }
  };
  const say = (text: string): void => {
    transcript.addUser(text);
    void reply(text);
  };
  const composer = new Composer(say);
  for (const suggestion of SUGGESTIONS) {
    const button = create("button", "suggestion", suggestion);
    button.type = "button";
    button.addEventListener("click", () => say(suggestion));
    element("suggestions", HTMLElement).append(button);
  }
  composer.enable();
  showState("ready", "Ready");
}

/** The SDK puts the status before the runtime's message: people need only the latter. */
function reasonOf(error: unknown): string {
  return (error as Error).message.replace(/^\d{3} /, "");
}

start().catch((error: unknown) => showObstacle(reasonOf(error)));
