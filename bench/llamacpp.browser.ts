/**
 * Speed of the two chat engines on the built-in weights, and of our way to llama.cpp beside llama.cpp alone:
 * `npm run bench:llamacpp`. Both sides of a ratio run in turns in one page, so that a busy machine slows both.
 */

import { type RawCompletionChunk, Wllama } from "@wllama/wllama/esm/index.js";
import { createRuntime, type Runtime } from "infetch";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROUNDS = 7;
const DECODED_TOKENS = 400;
const PROMPT_WORDS = 1_000;
/** infetch-tiny's two ends of a text: forbidden, so that every run is equally long. */
const NO_END = { 1526: -100, 1524: -100 };

interface Speed {
  prefill: number;
  decode: number;
}

/** Calls `onToken` with each piece of a reply; resolves with the number of tokens in the prompt. */
type Complete = (prompt: string, maxTokens: number, onToken: () => void) => Promise<number>;

let runtime: Runtime;
let wllama: Wllama;

beforeAll(async () => {
  runtime = await createRuntime({ billing: false });
  for (const engine of ["webllm", "llamacpp"] as const) {
    await runtime.deployments.create({ name: engine, model: "infetch-tiny", engine });
  }
  const logger = { debug() {}, log() {}, warn() {}, error() {} };
  const wasm = new URL("/package/llamacpp/wllama.wasm", location.href).href;
  wllama = new Wllama({ default: wasm }, { logger, suppressNativeLog: true });
  wllama.setCompat(null);
  const model = await (await fetch("/package/models/infetch-tiny/infetch-tiny.gguf")).blob();
  const precise = { cache_type_k: "f32", cache_type_v: "f32", flash_attn: false } as const;
  await wllama.loadModel([model], {
    n_ctx: 4096,
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

const alone: Complete = async (prompt, maxTokens, onToken) => {
  let promptTokens = 0;
  await wllama.createCompletion({
    prompt,
    max_tokens: maxTokens,
    temperature: 0,
    // The library's type wants two forms at once; its server takes either.
    ...({ logit_bias: NO_END } as object),
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

test("decode and prefill, in turns", async () => {
  const sides = { webllm: throughRuntime("webllm"), llamacpp: throughRuntime("llamacpp"), alone };
  const speeds: Record<string, Speed[]> = { webllm: [], llamacpp: [], alone: [] };
  for (const complete of Object.values(sides)) await measure(complete);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, complete] of Object.entries(sides)) speeds[name]!.push(await measure(complete));
  }
  for (const kind of ["prefill", "decode"] as const) {
    const of = (name: string): number => median(speeds[name]!.map((speed) => speed[kind]));
    const ratios = speeds.llamacpp!.map((speed, at) => speed[kind] / speeds.alone![at]![kind]);
    console.log(
      `${kind} tokens/s: web-llm ${of("webllm").toFixed(0)}, llama.cpp ${of("llamacpp").toFixed(0)}, ` +
        `wllama alone ${of("alone").toFixed(0)}; llama.cpp to wllama alone ${median(ratios).toFixed(3)}`,
    );
    expect(of("llamacpp")).toBeGreaterThan(0);
  }
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
