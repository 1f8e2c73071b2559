/** The page's runtime, the SDK on top of it, and its status. */

import { computed, type Signal, signal } from "@preact/signals";
import { createRuntime, type EngineEvent, type ModelProgressEvent, type Runtime } from "infetch";
import type OpenAI from "openai";
import { noteEngine } from "./engines.ts";
import { reasonOf } from "./loadable.ts";
import { noteRequest } from "./requests.ts";

type Connection =
  | { state: "starting" }
  | { state: "ready"; runtime: Runtime }
  | { state: "failed"; reason: string };

export const connection: Signal<Connection> = signal({ state: "starting" });

/** Loads in progress, by model. */
export const loads: Signal<Readonly<Record<string, ModelProgressEvent>>> = signal({});

const activities: Signal<readonly { text: string }[]> = signal([]);

/** Current activity in a word or two; empty if idle. */
export const activity = computed(() => activities.value.at(-1)?.text ?? "");

/** Starts an activity. Returns a function that ends it. */
export function begin(text: string): () => void {
  const own = { text };
  activities.value = [...activities.value, own];
  return () => {
    activities.value = activities.value.filter((one) => one !== own);
  };
}

/** Starts the runtime; failures are reported in {@link connection}. */
export async function startRuntime(): Promise<void> {
  connection.value = { state: "starting" };
  try {
    // Insecure contexts lack many APIs, and the resulting errors would not name the cause.
    if (!isSecureContext)
      throw new Error("Open this page over https or on localhost: infetch needs a secure context.");
    const runtime = await createRuntime();
    runtime.on("progress", noteProgress);
    runtime.on("request", noteRequest);
    runtime.on("engine", noteEngine);
    runtime.on("engine", endLoad);
    connection.value = { state: "ready", runtime };
  } catch (error) {
    connection.value = { state: "failed", reason: reasonOf(error) };
  }
}

function noteProgress(event: ModelProgressEvent): void {
  const { [event.model]: _, ...others } = loads.value;
  loads.value = event.phase === "ready" ? others : { ...others, [event.model]: event };
}

/** A load that another panel or tab started and that failed has no last progress event. */
function endLoad({ model, state }: EngineEvent): void {
  if (state === "lost" || state === "unloaded") forgetLoad(model);
}

/** Removes the progress bar of a failed or cancelled load. */
export function forgetLoad(model: string): void {
  const { [model]: _, ...others } = loads.value;
  loads.value = others;
}

/** @throws before the runtime is ready; panels are only shown after that */
export function runtime(): Runtime {
  if (connection.value.state === "ready") return connection.value.runtime;
  throw new Error("The runtime has not started.");
}

let client: Promise<OpenAI> | undefined;

/** The unmodified SDK, loaded on first use. */
export function openai(): Promise<OpenAI> {
  client ??= import("openai").then(({ default: Client }) => {
    const { apiKey, baseURL, fetch } = runtime();
    // Safe: the key is created in this page and expires with it.
    return new Client({
      apiKey,
      baseURL,
      fetch,
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
    });
  });
  client.catch(() => {
    client = undefined;
  });
  return client;
}
