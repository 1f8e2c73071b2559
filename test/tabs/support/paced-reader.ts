/** A reader in a page that takes the tokens of a stream at its own pace. */

import type { Page } from "playwright";
import { UNENDING } from "./requests.ts";
import type { TabWindow } from "./tabs.ts";

const MESSAGES = UNENDING.messages;
const { model, temperature, logit_bias } = UNENDING;
/** More than any reader here reads. */
export const MAX_TOKENS = 1_200;

const REQUESTS = {
  chat: {
    path: "/chat/completions",
    body: {
      model,
      temperature,
      logit_bias,
      messages: MESSAGES,
      max_tokens: MAX_TOKENS,
      logprobs: true,
      stream: true,
    },
  },
  completions: {
    path: "/completions",
    body: {
      model,
      temperature,
      logit_bias,
      prompt: "Count:",
      max_tokens: MAX_TOKENS,
      logprobs: 0,
      stream: true,
    },
  },
  responses: {
    path: "/responses",
    body: {
      model,
      input: "Count from one to one hundred.",
      temperature: 0,
      max_output_tokens: MAX_TOKENS,
      store: false,
      // The API has no logit_bias: a schema sets the minimum length.
      text: {
        format: {
          type: "json_schema",
          name: "numbers",
          schema: { type: "array", items: { type: "integer", enum: [1, 2] }, minItems: MAX_TOKENS },
        },
      },
      include: ["message.output_text.logprobs"],
      stream: true,
    },
  },
};

export type Kind = keyof typeof REQUESTS;
export type Pace = "fast" | "1 ms" | "5 ms" | "50 ms" | "frames" | "tee" | "sdk";

interface Reading extends TabWindow {
  /** Tokens that the page's reader received. */
  tokens: number;
  id?: string;
}

/**
 * Reads a stream at `pace` up to `stopAt` tokens, then holds it open. Posts each count to `channel`.
 *
 * @param sdk script with the OpenAI SDK, for that pace
 */
export async function read(
  page: Page,
  {
    kind,
    pace,
    stopAt,
    channel,
    sdk,
  }: { kind: Kind; pace: Pace; stopAt: number; channel: string; sdk: string },
): Promise<void> {
  if (pace === "sdk") await page.addScriptTag({ content: sdk });
  await page.evaluate(
    async ({ path, body, pace, stopAt, channel }) => {
      const target = window as unknown as Reading & { OpenAI: typeof import("openai").OpenAI };
      const { runtime } = target;
      const told = new BroadcastChannel(channel);
      target.tokens = 0;
      const pause = (): Promise<unknown> => {
        if (pace === "frames") return new Promise(requestAnimationFrame);
        const ms = pace === "sdk" ? 5 : Number.parseInt(pace, 10);
        return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
      };
      const decoder = new TextDecoder();
      let rest = "";
      const countChunk = (chunk: Uint8Array): void => {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop()!;
        for (const line of lines) if (line.startsWith("data: ")) count(line.slice("data: ".length));
      };
      const count = (event: string): void => {
        if (!event.startsWith("{")) return;
        const { choices, logprobs, type } = JSON.parse(event);
        const here = choices?.[0]?.logprobs;
        if (Array.isArray(choices)) target.tokens += here?.content?.length ?? here?.tokens?.length ?? 0;
        else if (type === "response.output_text.delta") target.tokens += logprobs?.length ?? 0;
      };
      const onRead = async (): Promise<void> => {
        told.postMessage({ id: target.id, tokens: target.tokens });
        if (target.tokens >= stopAt) await new Promise(() => {});
        await pause();
      };
      if (pace === "sdk") {
        const client = new target.OpenAI({
          apiKey: runtime.apiKey,
          baseURL: runtime.baseURL,
          fetch: async (...call: Parameters<typeof fetch>) => {
            const response = await runtime.fetch(...call);
            target.id = response.headers.get("x-request-id")!;
            // The SDK reads a chunk whole and yields its events one by one: count what it reads, when it reads.
            const reader = response.body!.getReader();
            const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
              const { value, done } = await reader.read();
              if (done) return controller.close();
              countChunk(value);
              controller.enqueue(value);
            };
            return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), response);
          },
          dangerouslyAllowBrowser: true,
        });
        const stream = (await client.post(path, { body, stream: true })) as AsyncIterable<unknown>;
        for await (const _ of stream) await onRead();
        return;
      }
      const response = await runtime.fetch(runtime.baseURL + path, {
        method: "POST",
        headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      target.id = response.headers.get("x-request-id")!;
      const stream = pace === "tee" ? response.body!.tee()[0] : response.body!;
      const reader = stream.getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        countChunk(next.value);
        await onRead();
      }
    },
    { ...REQUESTS[kind], pace, stopAt, channel },
  );
}

interface Told {
  id: string;
  tokens: number;
}

/** Receives the reading tab's latest count in another tab. */
export async function listen(page: Page, channel: string): Promise<() => Promise<Told>> {
  await page.evaluate((name) => {
    const target = window as unknown as { told: Told };
    target.told = { id: "", tokens: 0 };
    new BroadcastChannel(name).onmessage = ({ data }) => {
      target.told = data;
    };
  }, channel);
  return () => page.evaluate(() => (window as unknown as { told: Told }).told);
}
