/**
 * Speed of the two chat engines on the built-in weights, and of our way to llama.cpp beside llama.cpp alone:
 * `npm run bench:llamacpp`. Both sides of a ratio run in turns in one page, so that a busy machine slows both.
 */

import { type RawCompletionChunk, Wllama } from "@wllama/wllama/esm/index.js";
import { createRuntime, type Runtime } from "infetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdLock } from "../src/protocol/liveness.ts";
import { completionRequest } from "../worker/engines/llamacpp/completion-request.ts";
import { RemoteChatEngine } from "../worker/engines/remote-engine.ts";
import type { GenerateRequest, GgufFiles, Sampling } from "../worker/engines/types.ts";

const ROUNDS = 15;
const DECODED_TOKENS = 400;
const PROMPT_WORDS = 1_000;
/** infetch-tiny's two ends of a text: forbidden, so that every run is equally long. */
const NO_END = { 1526: -100, 1524: -100 };
const CONTEXT = 4_096;
const SERVER_LOCK = "bench:server";
const GREEDY: Sampling = {
  temperature: 0,
  topP: 1,
  topK: undefined,
  minP: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
  logitBias: NO_END,
  seed: 0,
  maxTokens: undefined,
};

interface Speed {
  prefill: number;
  decode: number;
}

/** Calls `onToken` with each piece of a reply; resolves with the number of tokens in the prompt. */
type Complete = (prompt: string, maxTokens: number, onToken: () => void) => Promise<number>;

let runtime: Runtime;
let wllama: Wllama;
let engine: RemoteChatEngine;

beforeAll(async () => {
  runtime = await createRuntime({ billing: false });
  for (const engine of ["webllm", "llamacpp"] as const) {
    await runtime.deployments.create({ name: engine, model: "infetch-tiny", engine });
  }
  await holdLock(SERVER_LOCK);
  const parts = [{ name: "infetch-tiny.gguf", bytes: 0 }];
  const folder = new URL("/package/models/infetch-tiny/", location.href).href;
  engine = await RemoteChatEngine.start(
    {
      workerURL: "/package/worker/llamacpp.js",
      name: "bench",
      serverLock: SERVER_LOCK,
      onEnd: () => {},
    },
    { sourceURL: folder, cacheURL: folder, parts } satisfies GgufFiles,
    () => {},
  );
  const logger = { debug() {}, log() {}, warn() {}, error() {} };
  const wasm = new URL("/package/llamacpp/wllama.wasm", location.href).href;
  wllama = new Wllama({ default: wasm }, { logger, suppressNativeLog: true });
  wllama.setCompat(null);
  const model = await (await fetch("/package/models/infetch-tiny/infetch-tiny.gguf")).blob();
  const precise = { cache_type_k: "f32", cache_type_v: "f32", flash_attn: false } as const;
  await wllama.loadModel([model], {
    n_ctx: CONTEXT,
    n_batch: 32,
    n_ubatch: 32,
    n_threads: 1,
    n_parallel: 1,
    n_gpu_layers: 0,
    ...precise,
  });
});
afterAll(async () => {
  runtime.close();
  engine.dispose("the bench is over");
  await wllama.exit();
});

/** The whole way: request, server, engine worker, events. */
const throughRuntime =
  (model: string): Complete =>
  async (prompt, maxTokens, onToken) => {
    const response = await runtime.fetch(`${runtime.baseURL}/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${runtime.apiKey}` },
      body: JSON.stringify({
        model,
        prompt,
        max_tokens: maxTokens,
        temperature: 0,
        logit_bias: NO_END,
        stream: true,
        stream_options: { include_usage: true },
      }),
    });
    let promptTokens = 0;
    for await (const text of response.body!.pipeThrough(
      new TextDecoderStream(),
    ) as unknown as AsyncIterable<string>) {
      for (const line of text.split("\n\n")) {
        if (line.includes('"text"')) onToken();
        promptTokens = Number(/"prompt_tokens":(\d+)/.exec(line)?.[1] ?? promptTokens);
      }
    }
    return promptTokens;
  };

/** The engine worker and its port, without a server and its events. */
const adapter: Complete = async (prompt, maxTokens, onToken) => {
  const request: GenerateRequest = { prompt, sampling: { ...GREEDY, maxTokens }, reader: { stop: [] } };
  let promptTokens = 0;
  for await (const step of engine.generate(request, new AbortController().signal)) {
    if (step.type === "reply") onToken();
    promptTokens = step.usage.promptTokens;
  }
  return promptTokens;
};

/** The very request that our adapter makes, to the library itself. */
const alone: Complete = async (prompt, maxTokens, onToken) => {
  const request: GenerateRequest = { prompt, sampling: { ...GREEDY, maxTokens }, reader: { stop: [] } };
  let promptTokens = 0;
  await wllama.createCompletion({
    ...(completionRequest(prompt, request, CONTEXT, false) as { prompt: string }),
    stream: true,
    onData: (chunk: RawCompletionChunk) => {
      onToken();
      promptTokens = chunk.usage?.prompt_tokens ?? promptTokens;
    },
  });
  return promptTokens;
};

let prompts = 0;

async function measure(complete: Complete): Promise<Speed> {
  // Another beginning each time: nothing of it may be cached.
  const prompt = `${prompts++} ${"word ".repeat(PROMPT_WORDS)}`;
  const startedAtMs = performance.now();
  const promptTokens = await complete(prompt, 1, () => {});
  const prefill = promptTokens / ((performance.now() - startedAtMs) / 1000);
  const times: number[] = [];
  await complete(`${prompts++} Hello`, DECODED_TOKENS, () => times.push(performance.now()));
  return { prefill, decode: (times.length - 1) / ((times.at(-1)! - times[0]!) / 1000) };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

test("llama.cpp through the runtime, through the adapter, and alone, in turns", async () => {
  const sides = { runtime: throughRuntime("llamacpp"), adapter, alone };
  const names = Object.keys(sides) as (keyof typeof sides)[];
  const speeds: Record<keyof typeof sides, Speed[]> = { runtime: [], adapter: [], alone: [] };
  for (const name of names) await measure(sides[name]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed())
      speeds[name].push(await measure(sides[name]));
  }
  for (const kind of ["prefill", "decode"] as const) {
    const told = names.map((name) => {
      const ratios = speeds[name].map((speed, at) => speed[kind] / speeds.alone[at]![kind]);
      const speed = median(speeds[name].map((speed) => speed[kind]));
      expect(speed).toBeGreaterThan(0);
      return `${name} ${speed.toFixed(0)} (${median(ratios).toFixed(3)})`;
    });
    console.log(`${kind} tokens/s, and as a part of wllama alone: ${told.join(", ")}`);
  }
});

test("web-llm on the same weights", async () => {
  const speeds: Speed[] = [];
  for (let round = 0; round < 4; round++) speeds.push(await measure(throughRuntime("webllm")));
  const of = (kind: keyof Speed): string => median(speeds.slice(1).map((speed) => speed[kind])).toFixed(0);
  console.log(`web-llm: prefill ${of("prefill")}, decode ${of("decode")} tokens/s`);
  expect(speeds).toHaveLength(4);
});

test("a second question behind the same beginning", async () => {
  const beginning = `${prompts++} ${"word ".repeat(PROMPT_WORDS)}`;
  const firstTokenMs = async (prompt: string): Promise<number> => {
    const startedAtMs = performance.now();
    await throughRuntime("llamacpp")(prompt, 1, () => {});
    return performance.now() - startedAtMs;
  };
  const fresh = await firstTokenMs(`${beginning} first`);
  const reused = await firstTokenMs(`${beginning} second`);
  console.log(
    `${PROMPT_WORDS} words: ${fresh.toFixed(0)} ms to the first token, ${reused.toFixed(0)} ms when they are cached`,
  );
  expect(reused).toBeLessThan(fresh);
});
