/** Group j: how long the first token of a chat takes, idle, beside other requests, and with a prompt that others share. */

import { type Client, MODEL, nowMs, openClient } from "./client.ts";
import { takeTurns } from "./rounds.ts";

interface Ask {
  system?: string;
  content: string;
  maxTokens?: number;
  choices?: number;
  signal?: AbortSignal;
  /** Called with the first chunk that has text. */
  onText?: () => void;
}

interface Asked {
  /** Milliseconds to the first text. */
  firstMs: number;
  promptTokens: number;
  /** Prompt tokens that were not in the KV cache. */
  fedTokens: number;
}

/** A streamed chat, read to its end. */
export async function ask({ openai }: Client, { system, content, signal, ...more }: Ask): Promise<Asked> {
  const startedAtMs = nowMs();
  const request = {
    model: MODEL,
    messages: [
      ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
      { role: "user" as const, content },
    ],
    temperature: 0,
    max_tokens: more.maxTokens ?? 4,
    n: more.choices ?? 1,
    ignore_eos: true,
    stream: true as const,
    stream_options: { include_usage: true },
  };
  const asked = { firstMs: 0, promptTokens: 0, fedTokens: 0 };
  for await (const { choices, usage } of await openai.chat.completions.create(
    request,
    signal ? { signal } : {},
  )) {
    if (choices[0]?.delta.content) {
      asked.firstMs ||= nowMs() - startedAtMs;
      more.onText?.();
    }
    if (!usage) continue;
    asked.promptTokens = usage.prompt_tokens;
    asked.fedTokens = usage.prompt_tokens - (usage.prompt_tokens_details?.cached_tokens ?? 0);
  }
  return asked;
}

let prompts = 0;

/** A prompt of about `words` words with a beginning that no other has. */
export function freshPrompt(words: number): string {
  const all = Array.from({ length: words }, (_, at) => `word ${(at * 7919) % 97}`);
  return `Text ${++prompts} of ${Math.round(performance.timeOrigin)}: ${all.join(" ")}`;
}

/** Milliseconds to the first text of a short request. */
export async function measureFirstTokens(rounds: number) {
  const client = await openClient();
  const short = async (): Promise<number> => (await ask(client, { content: freshPrompt(2) })).firstMs;
  /** With another request that decodes, or that reads its prompt. */
  const beside = async (other: Ask, isBusy: "decoding" | "prefilling"): Promise<number> => {
    const abort = new AbortController();
    let onText = (): void => {};
    const firstText = new Promise<void>((resolve) => {
      onText = resolve;
    });
    const running = ask(client, { ...other, signal: abort.signal, onText }).catch(() => undefined);
    await (isBusy === "decoding" ? firstText : new Promise((resolve) => setTimeout(resolve, 50)));
    const firstMs = await short();
    abort.abort();
    await running;
    return firstMs;
  };
  const values = await takeTurns(rounds, {
    idle: short,
    besideChoices: () => beside({ content: "Tell me a story.", maxTokens: 200, choices: 10 }, "decoding"),
    besidePrompt: () => beside({ content: freshPrompt(350) }, "prefilling"),
    // To judge these: one chunk of 256 tokens, and one token.
    chunk: async () => {
      const { firstMs, fedTokens } = await ask(client, { content: freshPrompt(128) });
      return (firstMs * 256) / fedTokens;
    },
    step: async () => {
      const tokens = 32;
      const startedAtMs = nowMs();
      await Promise.all([1, 2].map((at) => ask(client, { content: `Hello ${at}!`, maxTokens: tokens })));
      return (nowMs() - startedAtMs) / tokens;
    },
  });
  client.close();
  return values;
}

const CHATS = 6;

interface SharedPrompt {
  promptTokens: number;
  /** Tokens of all chats that were fed, over all of their prompt tokens. */
  fedShare: number;
  /** Milliseconds to the first text. */
  firstMs: number;
  /** Of the later chats, the median. */
  laterMs: number[];
}

/** Chats with one long system prompt, one after another; each round with another prompt. */
export async function measureSharedPrompt(rounds: number): Promise<SharedPrompt[]> {
  const client = await openClient();
  const measured: SharedPrompt[] = [];
  for (let round = 0; round <= rounds; round++) {
    const system = freshPrompt(350);
    const asked: Asked[] = [];
    for (let chat = 0; chat < CHATS; chat++)
      asked.push(await ask(client, { system, content: `What is ${chat} plus ${chat}?` }));
    const sum = (field: "fedTokens" | "promptTokens") => asked.reduce((total, one) => total + one[field], 0);
    const [first, ...later] = asked.map(({ firstMs }) => firstMs);
    measured.push({
      promptTokens: asked[0]!.promptTokens,
      fedShare: sum("fedTokens") / sum("promptTokens"),
      firstMs: first!,
      laterMs: later,
    });
    console.log(
      `prompt ${round}: ${asked.map(({ firstMs, fedTokens }) => `${firstMs.toFixed(0)} ms, ${fedTokens} fed`).join("; ")}`,
    );
  }
  client.close();
  // The first round compiles code.
  return measured.slice(1);
}
