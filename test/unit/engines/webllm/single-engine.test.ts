import { MLCEngine } from "@mlc-ai/web-llm";
import { expect, test } from "vitest";
import type { EngineStep, GenerateRequest } from "../../../../worker/engine-api/chat-engine.ts";
import type { LoadedModel } from "../../../../worker/engines/webllm/load-model.ts";
import { SingleEngine } from "../../../../worker/engines/webllm/single/single-engine.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";

const END = 0;

/** web-llm's own engine, whose model says these bytes, a token each. */
function engineThatSays(bytes: readonly number[]): SingleEngine {
  const outputIds: number[] = [];
  let isStopped = true;
  const text = (ids: Iterable<number>): string => new TextDecoder().decode(Uint8Array.from(ids));
  const step = async (): Promise<void> => {
    const id = bytes[outputIds.length] ?? END;
    pipeline.logitProcessor?.processSampledToken(id);
    isStopped = id === END;
    if (!isStopped) outputIds.push(id);
  };
  const pipeline = {
    logitProcessor: undefined as { processSampledToken(id: number): void } | undefined,
    outputIds,
    stopTokens: [END],
    stopStr: [],
    tvm: {},
    tokenizer: { decode: (ids: Int32Array) => text(ids) },
    stopped: () => isStopped,
    getMessage: () => text(outputIds),
    getFinishReason: () => (isStopped ? (pipeline.isInterrupted ? "abort" : "stop") : undefined),
    isInterrupted: false,
    triggerStop: () => {
      pipeline.isInterrupted = isStopped = true;
    },
    getCurRoundCompletionTotalTokens: () => outputIds.length,
  };
  const engine = new MLCEngine();
  Object.assign(engine, {
    getLLMStates: () => ["model", pipeline, {}],
    loadedModelIdToLock: new Map([["model", { acquire: async () => {}, release: async () => {} }]]),
    resetChat: async () => {},
    makeStreamUsageChunk: () => undefined,
    prefill: () => {
      isStopped = false;
      return step();
    },
    decode: step,
  });
  return new SingleEngine({
    engine,
    pipeline,
    prefix: [],
    prompts: { asText: String, encode: () => [1], count: () => 1 },
    tokenForm: "bytes",
    info: { contextWindow: 100 },
  } as unknown as LoadedModel);
}

async function reply(engine: SingleEngine, stopTokens: number[], includeStop: boolean) {
  const request: GenerateRequest = {
    prompt: "",
    cacheScope: "",
    sampling: { ...neutralSampling, stopTokens },
    randomState: 1n,
    reader: { stop: [], includeStop },
  };
  const steps: EngineStep[] = [];
  for await (const step of engine.generate(request, new AbortController().signal)) steps.push(step);
  const events = steps.flatMap((step) => (step.type === "reply" ? step.events : []));
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  const end = steps.at(-1);
  return end?.type === "finish"
    ? { text, reason: end.reason, tokens: end.usage.completionTokens }
    : undefined;
}

test.each([
  [true, "a\ufffd"],
  [false, "a"],
])("a stop token within a character ends the reply there; included: %s", async (includeStop, text) => {
  const bytes = [0x61, ...new TextEncoder().encode("😀"), 0x62];
  expect(await reply(engineThatSays(bytes), [0x9f], includeStop)).toEqual({
    text,
    reason: "stop",
    tokens: 3,
  });
});
