/** Group a: decoding speed, through infetch and without it. */

import { WebWorkerMLCEngine } from "@mlc-ai/web-llm";
import { type Remote, wrap } from "comlink";
import type { PlacedRecord, RawChat } from "../workers/raw-chat.ts";
import { MODEL, openClient } from "./client.ts";
import { takeTurns } from "./rounds.ts";

/** A prompt with a long reply from the built-in model. */
const PROMPT = "Count from 1 to 60.";
const MAX_TOKENS = 128;

/** Decoding speed in tokens per second, from the first token to the last. */
export async function measureDecode(rounds: number) {
  const client = await openClient();
  const { raw, record } = await openRawChat();
  const peer = await openPeer(record);
  const messages = [{ role: "user" as const, content: PROMPT }];
  const values = await takeTurns(rounds, {
    async infetch() {
      const stream = await client.openai.chat.completions.create({
        model: MODEL,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        temperature: 0,
        max_tokens: MAX_TOKENS,
      });
      return pace(stream);
    },
    raw: () => raw.decode({ prompt: PROMPT, maxTokens: MAX_TOKENS }),
    async webWorkerEngine() {
      const stream = await peer.chat.completions.create({
        messages,
        stream: true,
        stream_options: { include_usage: true },
        temperature: 0,
        max_tokens: MAX_TOKENS,
      });
      return pace(stream);
    },
  });
  client.close();
  return values;
}

interface Chunk {
  choices: { delta: { content?: string | null } }[];
  usage?: { completion_tokens: number } | null;
}

async function pace(stream: AsyncIterable<Chunk>): Promise<number> {
  let firstAtMs = 0;
  let lastAtMs = 0;
  let tokens = 0;
  for await (const { choices, usage } of stream) {
    tokens = usage?.completion_tokens ?? tokens;
    if (!choices[0]?.delta.content) continue;
    lastAtMs = performance.now();
    firstAtMs ||= lastAtMs;
  }
  return ((tokens - 1) / (lastAtMs - firstAtMs)) * 1000;
}

/** web-llm alone in a worker, with the built-in model loaded. */
export async function openRawChat(): Promise<{ raw: Remote<RawChat>; record: PlacedRecord; end(): void }> {
  const worker = new Worker("/bench/raw-chat.js", { type: "module" });
  const raw = wrap<RawChat>(worker);
  const record = await raw.place(new URL("/infetch/models/", location.href).href);
  await raw.load(record);
  return { raw, record, end: () => worker.terminate() };
}

/** web-llm's own bridge from a worker to the page. */
async function openPeer(record: PlacedRecord): Promise<WebWorkerMLCEngine> {
  const worker = new Worker("/bench/web-llm-handler.js", { type: "module" });
  const engine = new WebWorkerMLCEngine(worker, {
    appConfig: { model_list: [record] },
    logLevel: "SILENT",
  });
  await engine.reload(record.model_id);
  return engine;
}
