/** The demo: a chat and a search, on one runtime in the page. Puts the parts together and nothing else. */

import { createRuntime } from "infetch";
import { startChat } from "./chat-view.ts";
import { createClient } from "./client.ts";
import { CHAT_CODE, SEARCH_CODE } from "./code-sample.ts";
import { element } from "./elements.ts";
import { reasonOf, showObstacle } from "./notices.ts";
import { startSearch } from "./search-view.ts";
import { Status } from "./status.ts";
import { Tabs } from "./tabs.ts";

const status = new Status();
const reportChat = status.reportOf("chat");
const reportSearch = status.reportOf("search");

async function start(): Promise<void> {
  element("chat-code", HTMLElement).textContent = CHAT_CODE;
  element("search-code", HTMLElement).textContent = SEARCH_CODE;
  new Tabs((view) => status.select(view));
  // Where it is not, browsers hide half of what a runtime is made of, and its errors would not say so.
  if (!isSecureContext) throw new Error("Open this page over https or on localhost: it has to be secure.");
  const runtime = await createRuntime();
  const openai = createClient(runtime);
  startSearch(runtime, openai, reportSearch);
  await startChat(runtime, openai, reportChat);
}

start().catch((error: unknown) => {
  for (const emptyId of ["empty", "search-empty"]) {
    showObstacle(emptyId, "No model can run here", reasonOf(error));
  }
  for (const report of [reportChat, reportSearch]) report("problem", "Not available");
});
