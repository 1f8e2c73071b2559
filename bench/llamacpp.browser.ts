/**
 * Speed of both chat engines on the built-in weights, and of infetch compared with bare llama.cpp, its own build and the
 * published one: `npm run bench:llamacpp`. All sides alternate in one page, so that load affects all.
 */

import type { Wllama } from "@wllama/wllama/esm/index.js";
import { createRuntime, type Runtime } from "infetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdLock } from "../src/protocol/liveness/liveness.ts";
import type { GgufFiles } from "../worker/engine-api/model-files.ts";
import { RemoteChatEngine } from "../worker/engines/chat/remote-engine.ts";
import {
  alone,
  type Complete,
  freshBeginning,
  greedyRequest,
  measure,
  openWllama,
  PROMPT_WORDS,
  plainRequest,
  type Speed,
  throughRuntime,
} from "./page/llamacpp-sides.ts";

const ROUNDS = 15;
const SERVER_LOCK = "bench:server";
/** llama.cpp as wllama publishes it. */
const PUBLISHED = "/node_modules/@wllama/wllama/esm/wasm/wllama.wasm";

let runtime: Runtime;
let wllama: Wllama;
let published: Wllama;
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
  wllama = await openWllama("/package/");
  published = await openWllama("/package/", {}, PUBLISHED);
});
afterAll(async () => {
  runtime.close();
  engine.dispose("the bench is over");
  await wllama.exit();
  await published.exit();
});

/** The engine worker and its port, without a server and SSE events. */
const adapter: Complete = async (prompt, maxTokens, onToken) => {
  let promptTokens = 0;
  const request = greedyRequest(prompt, maxTokens);
  for await (const step of engine.generate(request, new AbortController().signal)) {
    if (step.type === "reply") onToken();
    promptTokens = step.usage.promptTokens;
  }
  return promptTokens;
};

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

test("llama.cpp through the runtime, through the adapter, alone, and as published, in turns", async () => {
  const sides = {
    runtime: throughRuntime(runtime, "llamacpp"),
    adapter,
    alone: alone(wllama),
    published: alone(published, plainRequest),
  };
  const names = Object.keys(sides) as (keyof typeof sides)[];
  const speeds: Record<keyof typeof sides, Speed[]> = { runtime: [], adapter: [], alone: [], published: [] };
  for (const name of names) await measure(sides[name]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed())
      speeds[name].push(await measure(sides[name]));
  }
  for (const kind of ["prefill", "decode"] as const) {
    const results = names.map((name) => {
      const ratios = speeds[name].map((speed, at) => speed[kind] / speeds.published[at]![kind]);
      const speed = median(speeds[name].map((speed) => speed[kind]));
      expect(speed).toBeGreaterThan(0);
      return `${name} ${speed.toFixed(0)} (${median(ratios).toFixed(3)})`;
    });
    console.log(`${kind} tokens/s, and as a part of wllama's as published: ${results.join(", ")}`);
  }
});

test("web-llm on the same weights", async () => {
  const speeds: Speed[] = [];
  for (let round = 0; round < 4; round++) speeds.push(await measure(throughRuntime(runtime, "webllm")));
  const of = (kind: keyof Speed): string => median(speeds.slice(1).map((speed) => speed[kind])).toFixed(0);
  console.log(`web-llm: prefill ${of("prefill")}, decode ${of("decode")} tokens/s`);
  expect(speeds).toHaveLength(4);
});

test("a second question after the same beginning", async () => {
  const beginning = freshBeginning();
  const firstTokenMs = async (prompt: string): Promise<number> => {
    const startedAtMs = performance.now();
    await throughRuntime(runtime, "llamacpp")(prompt, 1, () => {});
    return performance.now() - startedAtMs;
  };
  const fresh = await firstTokenMs(`${beginning} first`);
  const reused = await firstTokenMs(`${beginning} second`);
  console.log(
    `${PROMPT_WORDS} words: ${fresh.toFixed(0)} ms to the first token, ${reused.toFixed(0)} ms when they are cached`,
  );
  expect(reused).toBeLessThan(fresh);
});
