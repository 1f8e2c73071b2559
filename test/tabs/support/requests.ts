/** Requests that run inside a page, and what the page received. */

import type { Page } from "playwright";
import { expect } from "vitest";
import chatConfig from "../../../models/tiny-chat/mlc-chat-config.json" with { type: "json" };
import type { Evaluates, TabWindow } from "./tabs.ts";

/** Suppresses the stop tokens: the reply always has `max_tokens` tokens. */
export const UNENDING = {
  model: "infetch-tiny",
  messages: [{ role: "user", content: "Count from one to one hundred." }],
  temperature: 0,
  logit_bias: Object.fromEntries(chatConfig.conv_template.stop_token_ids.map((id) => [id, -100])),
};

/** What a page received of one request. */
export interface Sighting {
  /** Unique among all requests of a test. */
  name: string;
  /** `x-request-id`, once headers have arrived. */
  id?: string;
  status?: number;
  /** Tokens whose logprobs were read. */
  tokens: number;
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** Of a whole response, by choice. */
  texts?: string[];
  /** `done` after `[DONE]` or a whole response; else the error's name or code. */
  end?: string;
}

/**
 * Sends a chat request in the page and reads it to its end. Passes each change to the page's `note`, if any, before
 * the next read.
 */
export function follow(page: Evaluates, name: string, body: object): Promise<Sighting> {
  return page.evaluate(followHere, { name, json: JSON.stringify(body) });
}

/** {@link follow}, once the page has read a first token. `end` resolves with what it received. */
export async function followPastFirstToken(
  page: Page,
  name: string,
  body: object,
): Promise<{ end: Promise<Sighting> }> {
  let tokens = 0;
  await page.exposeFunction("note", (seen: Sighting) => {
    tokens = Math.max(tokens, seen.tokens);
  });
  const end = follow(page, name, body);
  await expect.poll(() => tokens, { interval: 5 }).toBeGreaterThan(0);
  return { end };
}

/** {@link follow}, to run inside the page: refers to nothing outside. */
export async function followHere({ name, json }: { name: string; json: string }): Promise<Sighting> {
  const { runtime, note = () => {} } = window as unknown as TabWindow & {
    note?: (seen: Sighting) => Promise<void> | void;
  };
  const seen: Sighting = { name, tokens: 0 };
  const read = (text: string): void => {
    if (text === "data: [DONE]") seen.end = "done";
    if (!text.startsWith("data: {")) return;
    const { usage, choices = [], error } = JSON.parse(text.slice("data: ".length));
    if (usage) seen.usage = usage;
    if (error) seen.end = error.code;
    seen.tokens += choices[0]?.logprobs?.content.length ?? 0;
  };
  try {
    note(seen);
    const response = await runtime.fetch(`${runtime.baseURL}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
      body: json,
    });
    seen.id = response.headers.get("x-request-id")!;
    seen.status = response.status;
    await note(seen);
    if (response.headers.get("content-type")?.startsWith("application/json")) {
      const answer = await response.json();
      if (answer.usage) seen.usage = answer.usage;
      if (answer.choices)
        seen.texts = answer.choices.map((one: { message: { content: string } }) => one.message.content);
      seen.end = answer.error?.code ?? "done";
    } else {
      let rest = "";
      // No pipe: it would read chunks ahead of what was noted.
      const reader = response.body!.getReader();
      const decoder = new TextDecoder();
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const events = (rest + decoder.decode(next.value, { stream: true })).split("\n\n");
        rest = events.pop()!;
        events.forEach(read);
        // Report before the next read, so that a killed page has reported its reads.
        await note(seen);
      }
      seen.end ??= "cut";
    }
  } catch (error) {
    seen.end = (error as Error).name;
  }
  note(seen);
  return seen;
}

/** A stream of exactly `tokens` tokens. */
export function streamOf(tokens: number): object {
  const options = { stream: true, stream_options: { include_usage: true }, logprobs: true };
  return { ...UNENDING, ...options, max_tokens: tokens };
}

export function usageOf(page: Evaluates): Promise<import("infetch/billing").UsageEvent[]> {
  const list = (limit: number) => (window as unknown as TabWindow).runtime.usage.list({ limit });
  return page.evaluate(list, 10_000);
}

/** The status of `GET /v1/models`: needs a server but no model. */
export function listModels(page: Evaluates): Promise<number> {
  return page.evaluate(async (path: string) => {
    const { runtime } = window as unknown as TabWindow;
    const headers = { authorization: `Bearer ${runtime.apiKey}` };
    return (await runtime.fetch(runtime.baseURL + path, { headers })).status;
  }, "/models");
}

/** Registers the service worker and waits until it controls the page. */
export function register(page: Evaluates): Promise<void> {
  return page.evaluate(async (path: string) => {
    await navigator.serviceWorker.register(path);
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
  }, "/service-worker.js");
}

/** Replaces the runtime with plain `fetch`, so that {@link follow} and others send plain requests. */
export function usePlainFetch(page: Evaluates): Promise<void> {
  return page.evaluate((path: string) => {
    const plain = (url: string, { headers, ...init }: RequestInit = {}) => {
      const rest = new Headers(headers);
      rest.delete("authorization");
      return fetch(url, { ...init, headers: rest });
    };
    Object.assign(window, { runtime: { baseURL: location.origin + path, fetch: plain } });
  }, "/v1");
}

/** Creates a stored key and lends it to pages without one. */
export function lendNewKey(page: Evaluates): Promise<void> {
  return page.evaluate(`(async () => {
    const { apiKey } = await window.runtime.keys.create({ name: "plain pages" });
    const { lendKey } = await import("/package/service-worker.js");
    await lendKey(apiKey);
  })()`);
}
