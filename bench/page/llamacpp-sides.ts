/** Both sides of the llama.cpp comparisons: infetch end to end, and the bare library (wllama). */

import { type RawCompletionChunk, Wllama } from "@wllama/wllama/esm/index.js";
import type { Runtime } from "infetch";
import { neutralSampling } from "../../test/support/neutral-sampling.ts";
import type { GenerateRequest, Sampling } from "../../worker/engine-api/chat-engine.ts";
import { completionRequest } from "../../worker/engines/llamacpp/completion-request.ts";

/** Calls `onToken` for each chunk of a reply; resolves with the number of prompt tokens. */
export type Complete = (prompt: string, maxTokens: number, onToken: () => void) => Promise<number>;

export interface Speed {
  /** Tokens per second. */
  prefill: number;
  decode: number;
}

const DECODED_TOKENS = 400;
export const PROMPT_WORDS = 1_000;
export const CONTEXT = { contextWindow: 4_096 };
/** infetch-tiny's two end tokens, forbidden so that all runs are equally long. */
const NO_END = { 1526: -100, 1524: -100 };
const GREEDY: Sampling = { ...neutralSampling, temperature: 0, logitBias: NO_END, seed: 0 };

export const greedyRequest = (prompt: string, maxTokens: number): GenerateRequest => ({
  prompt,
  sampling: { ...GREEDY, maxTokens },
  randomState: 0n,
  reader: { stop: [] },
  cacheScope: "bench",
});

/**
 * wllama with the built-in model, configured like infetch's engine.
 *
 * @param assets folder of the package
 * @param more replaces parameters of the load
 * @param wasm llama.cpp. @default the package's
 */
export async function openWllama(
  assets: string,
  more: Parameters<Wllama["loadModel"]>[1] = {},
  wasm = `${assets}llamacpp/wllama.wasm`,
): Promise<Wllama> {
  const logger = { debug() {}, log() {}, warn() {}, error() {} };
  const at = (path: string): string => new URL(path, location.href).href;
  const wllama = new Wllama({ default: at(wasm) }, { logger, suppressNativeLog: true });
  wllama.setCompat(null);
  const model = await (await fetch(at(`${assets}models/infetch-tiny/infetch-tiny.gguf`))).blob();
  const precise = { cache_type_k: "f32", cache_type_v: "f32", flash_attn: false } as const;
  const steps = {
    n_ctx: CONTEXT.contextWindow,
    n_batch: 32,
    n_ubatch: 32,
    n_threads: 1,
    n_parallel: 1,
    n_gpu_layers: 0,
  };
  await wllama.loadModel([model], { ...steps, ...precise, ...more });
  return wllama;
}

/** The request that infetch's engine sends. */
const ownRequest = (prompt: string, maxTokens: number): Record<string, unknown> =>
  completionRequest(prompt, greedyRequest(prompt, maxTokens), CONTEXT, { mayReuse: true });

/** The same reply, without what infetch asks llama.cpp for beside its text. */
export const plainRequest = (prompt: string, maxTokens: number): Record<string, unknown> => ({
  prompt,
  stream: true,
  n_predict: maxTokens,
  temperature: 0,
  logit_bias: Object.entries(NO_END).map(([id, bias]) => [Number(id), bias]),
});

/** Sends a request directly to the library. */
export const alone =
  (wllama: Wllama, request = ownRequest): Complete =>
  async (prompt, maxTokens, onToken) => {
    let promptTokens = 0;
    await wllama.createCompletion({
      ...(request(prompt, maxTokens) as { prompt: string }),
      stream: true,
      onData: (chunk: RawCompletionChunk) => {
        onToken();
        promptTokens = chunk.usage?.prompt_tokens ?? promptTokens;
      },
    });
    return promptTokens;
  };

/** End to end: request, server, engine worker, events. */
export const throughRuntime =
  (runtime: Runtime, model: string): Complete =>
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
    const texts = response.body!.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>;
    for await (const text of texts) {
      for (const line of text.split("\n\n")) {
        if (line.includes('"text"')) onToken();
        promptTokens = Number(/"prompt_tokens":(\d+)/.exec(line)?.[1] ?? promptTokens);
      }
    }
    return promptTokens;
  };

let prompts = 0;

/** A unique start each time, so that nothing is cached. */
export const freshBeginning = (): string => `${prompts++} ${"word ".repeat(PROMPT_WORDS)}`;

export async function measure(complete: Complete): Promise<Speed> {
  const startedAtMs = performance.now();
  const promptTokens = await complete(freshBeginning(), 1, () => {});
  const prefill = promptTokens / ((performance.now() - startedAtMs) / 1000);
  const times: number[] = [];
  await complete(`${prompts++} Hello`, DECODED_TOKENS, () => times.push(performance.now()));
  return { prefill, decode: (times.length - 1) / ((times.at(-1)! - times[0]!) / 1000) };
}
