/** The first view: a chat with the model in the page. */

import type { Runtime } from "infetch";
import type OpenAI from "openai";
import { CHAT_MODEL, Chat } from "./chat.ts";
import { Composer } from "./composer.ts";
import { element } from "./elements.ts";
import { LoadBar } from "./load-bar.ts";
import { reasonOf, showObstacle, showSuggestions } from "./notices.ts";
import type { Report } from "./status.ts";
import { Transcript } from "./transcript.ts";

const SUGGESTIONS = ["Hello! Who are you?", "What does infetch do?", "What is 12 + 30?"];

/** Opens the chat, or says why it cannot be. */
export async function startChat(runtime: Runtime, openai: OpenAI, report: Report): Promise<void> {
  const obstacle = await findObstacle();
  if (obstacle !== undefined) {
    showObstacle("empty", "The chat cannot run here", `${obstacle} The search works without WebGPU.`);
    return report("problem", "Not available");
  }
  const loadBar = new LoadBar(element("chat-card", HTMLElement), CHAT_MODEL, runtime);
  const transcript = new Transcript(element("log", HTMLElement), element("empty", HTMLElement));
  const chat = new Chat(openai);

  const reply = async (text: string): Promise<void> => {
    const view = transcript.addReply();
    report("busy", "Writing");
    try {
      view.finish(await composer.whileBusy((signal) => chat.say(text, view.append, signal)));
      report("ready", "Ready");
    } catch (error) {
      loadBar.hide();
      view.fail(reasonOf(error), () => void reply(text));
      report("problem", "Message failed");
    }
  };
  const say = (text: string): void => {
    transcript.addUser(text);
    void reply(text);
  };
  const composer = new Composer(say);
  showSuggestions("suggestions", SUGGESTIONS, say);
  composer.enable();
  report("ready", "Ready");
}

/** Why no language model can run here, or undefined. Embeddings do without WebGPU. */
async function findObstacle(): Promise<string | undefined> {
  const how = "Use a current Chrome, Edge or Safari, with hardware acceleration turned on.";
  if (!("gpu" in navigator)) return `This browser has no WebGPU. ${how}`;
  const adapter = await navigator.gpu.requestAdapter().catch(() => null);
  return adapter ? undefined : `WebGPU found no graphics adapter on this device. ${how}`;
}
