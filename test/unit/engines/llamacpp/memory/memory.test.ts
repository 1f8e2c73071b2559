import { afterEach, describe, expect, test, vi } from "vitest";
import { planMemory, requireParts } from "../../../../../worker/engines/llamacpp/memory/plan-memory.ts";
import { PromptCacheTracker } from "../../../../../worker/engines/llamacpp/prompt-cache-tracker.ts";
import type { GgufValue } from "../../../../../worker/model-store/gguf/metadata.ts";

const GIB = 2 ** 30;

/** Qwen2.5-0.5B: 24 layers, 2 key-value heads of dimension 64. */
const metadata = new Map<string, GgufValue>([
  ["general.architecture", "qwen2"],
  ["qwen2.context_length", 32_768],
  ["qwen2.embedding_length", 896],
  ["qwen2.block_count", 24],
  ["qwen2.attention.head_count", 14],
  ["qwen2.attention.head_count_kv", 2],
]);
const parts = [{ size: 400e6 }];

function onDevice(navigator: object, crossOriginIsolated = false): void {
  vi.stubGlobal("navigator", { hardwareConcurrency: 8, ...navigator });
  vi.stubGlobal("crossOriginIsolated", crossOriginIsolated);
}
afterEach(() => vi.unstubAllGlobals());

describe("the plan for a model", () => {
  test("a context of 8,192 tokens unless more or less is asked for, never beyond the model's own", () => {
    onDevice({});
    expect(planMemory(metadata, parts, {}).contextWindow).toBe(8_192);
    expect(planMemory(metadata, parts, { contextWindow: 512 }).contextWindow).toBe(512);
    expect(planMemory(metadata, parts, { contextWindow: 100_000 }).contextWindow).toBe(32_768);
  });

  test("full precision while the cache is small, half of it beyond", () => {
    onDevice({});
    const numbers = 24 * 2 * (64 + 64);
    expect(planMemory(metadata, parts, { contextWindow: 512 })).toMatchObject({
      cacheType: "f32",
      bytesPerToken: numbers * 4,
    });
    expect(planMemory(metadata, parts, {})).toMatchObject({ cacheType: "f16", bytesPerToken: numbers * 2 });
  });

  test("half of it as well where only that fits into the budget, which counts weights, context and scores", () => {
    onDevice({});
    const plan = (mostBytes: number) =>
      planMemory(metadata, parts, {
        contextWindow: 2_048,
        room: { freeBytes: mostBytes, idleBytes: 0, mostBytes },
      });
    const [precise, half] = [plan(560e6), plan(540e6)];
    expect([precise.cacheType, half.cacheType]).toEqual(["f32", "f16"]);
    const fixed = 400e6 + 96 * 2 ** 20 + 2_048 * 14 * 32 * 4;
    const numbers = 2_048 * 24 * 2 * (64 + 64);
    expect([precise.memoryBytes, half.memoryBytes]).toEqual([fixed + numbers * 4, fixed + numbers * 2]);
    expect(() => plan(520e6)).toThrow(expect.objectContaining({ code: "insufficient_memory" }));
  });

  test("a cache of the layers that have attention, where heads are listed by layer", () => {
    onDevice({});
    const lfm2 = new Map<string, GgufValue>([
      ["general.architecture", "lfm2"],
      ["lfm2.context_length", 128_000],
      ["lfm2.embedding_length", 2048],
      ["lfm2.block_count", 16],
      ["lfm2.attention.head_count", 32],
      ["lfm2.attention.head_count_kv", [0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 8, 0, 8, 0, 8, 0]],
    ]);
    const { bytesPerToken } = planMemory(lfm2, parts, {});
    expect(bytesPerToken).toBe(6 * 8 * (64 + 64) * 2);
    const listed = new Map([
      ...lfm2,
      ["lfm2.attention.head_count", Array.from({ length: 16 }, () => 32)],
    ] as const);
    expect(planMemory(listed as typeof lfm2, parts, {}).bytesPerToken).toBe(bytesPerToken);
  });

  test("threads on isolated pages alone, half of the cores, and never for narrow models", () => {
    vi.stubGlobal("WebAssembly", { Suspending: class {} });
    onDevice({}, true);
    expect(planMemory(metadata, parts, {}).threads).toBe(4);
    expect(planMemory(metadata, parts, { threads: 3 }).threads).toBe(3);
    expect(planMemory(new Map([...metadata, ["qwen2.embedding_length", 192]]), parts, {}).threads).toBe(1);
    onDevice({ hardwareConcurrency: 2 }, true);
    expect(planMemory(metadata, parts, {}).threads).toBe(2);
    onDevice({});
    expect(planMemory(metadata, parts, {}).threads).toBe(1);
  });

  test("what does not fit is refused with what it needs and what is there", () => {
    onDevice({ deviceMemory: 0.5 });
    expect(() => planMemory(metadata, [{ size: 700e6 }], {})).toThrow(
      expect.objectContaining({
        code: "insufficient_memory",
        message: expect.stringContaining("0.5 GB are available"),
      }),
    );
    onDevice({ deviceMemory: 8 });
    expect(() => planMemory(metadata, [{ size: 700e6 }], {})).not.toThrow();
  });
});

test("files of more than 4 GB in all are refused by their sizes alone", () => {
  onDevice({});
  expect(() => requireParts([1.9 * GIB, 1.9 * GIB, 1.9 * GIB])).toThrow(
    expect.objectContaining({ code: "insufficient_memory" }),
  );
  expect(() => requireParts([1.9 * GIB, 1.9 * GIB])).not.toThrow();
  expect(() => requireParts([0])).not.toThrow();
});

class Memory64 {}
class Memory32 {
  constructor() {
    throw new TypeError();
  }
}

test.each([
  ["JSPI and 64-bit memory", { Suspending: class {}, Memory: Memory64 }, undefined],
  ["no JSPI", { Memory: Memory64 }, "lacks JSPI"],
  ["no 64-bit memory", { Suspending: class {}, Memory: Memory32 }, "lacks 64-bit WebAssembly memory"],
])("a file of 3 GB with %s", (_, WebAssembly, refusal) => {
  onDevice({});
  vi.stubGlobal("WebAssembly", WebAssembly);
  const check = () => requireParts([3 * GIB, 0]);
  if (refusal === undefined) return expect(check).not.toThrow();
  const message = expect.stringContaining(
    `has 3.0 GB; llama.cpp reads up to 2 GB here, because this browser ${refusal}`,
  );
  return expect(check).toThrow(expect.objectContaining({ code: "model_load_failed", message }));
});

const perToken = (bytesPerToken: number, stateBytes = 0) => ({ bytesPerToken, stateBytes });

test("the states of recurrent layers are saved with each conversation", () => {
  const saved = new PromptCacheTracker(perToken(0, 100_000), 250_000);
  const other = () => saved.note({ promptTokens: 10, cachedTokens: 0, completionTokens: 0 }, "a", []);
  for (let conversation = 0; conversation < 2; conversation++) other();
  expect(saved.isFull).toBe(false);
  other();
  expect(saved.isFull).toBe(true);
});

test("conversations that displace each other fill the memory of them; one that goes on does not", () => {
  const saved = new PromptCacheTracker(perToken(1_000), 250_000);
  const note = (promptTokens: number, cachedTokens: number) =>
    saved.note({ promptTokens, cachedTokens, completionTokens: 0 }, "a", []);
  for (let turn = 1; turn < 100; turn++) note(turn * 100, (turn - 1) * 100);
  expect(saved.isFull).toBe(false);
  const others = new PromptCacheTracker(perToken(1_000), 250_000);
  for (let conversation = 0; conversation < 3; conversation++)
    others.note({ promptTokens: 100, cachedTokens: 0, completionTokens: 0 }, "a", []);
  expect(others.isFull).toBe(false);
  others.note({ promptTokens: 100, cachedTokens: 10, completionTokens: 0 }, "a", []);
  expect(others.isFull).toBe(true);
});

describe("whose prompts llama.cpp may reuse", () => {
  const tokens = (length: number, first = 0) => Array.from({ length }, (_, at) => first + at);
  const saved = () => {
    const prompts = new PromptCacheTracker(perToken(1_000));
    /** An image has 64 tokens. */
    const lengthOf = (prompt: readonly number[]) =>
      prompt.reduce((sum, token) => sum + (token < 0 ? 64 : 1), 0);
    const turn = (scope: string, prompt: readonly number[], completionTokens = 10): boolean => {
      const mayReuse = prompts.mayReuse(scope, prompt);
      prompts.begin(scope, prompt);
      const usage = { promptTokens: lengthOf(prompt), cachedTokens: 0, completionTokens };
      prompts.note(usage, scope, prompt);
      return mayReuse;
    };
    return turn;
  };

  test("any, while there is one scope", () => {
    const turn = saved();
    expect([turn("a", tokens(100)), turn("a", tokens(50, 500)), turn("a", tokens(100))]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("among several, only those in the slot, from the scope of the last prompt", () => {
    const turn = saved();
    turn("a", tokens(100));
    expect(turn("b", tokens(100))).toBe(false);
    expect(turn("b", tokens(120))).toBe(true);
    expect(turn("a", tokens(140))).toBe(false);
  });

  test("among several, none where llama.cpp searches all it saved: another prompt, or one much longer or shorter", () => {
    const turn = saved();
    turn("a", tokens(100));
    turn("b", tokens(100, 500));
    expect(turn("b", tokens(100))).toBe(false);
    expect(turn("b", tokens(50))).toBe(false);
    expect(turn("b", tokens(300))).toBe(false);
    turn("b", tokens(100), 100);
    expect(turn("b", tokens(300))).toBe(false);
  });

  test("among several, none for a new image, whose tokens are not known; one that was there goes on", () => {
    const turn = saved();
    turn("a", tokens(100));
    turn("b", [...tokens(50), -7, ...tokens(50)]);
    expect(turn("b", [...tokens(50), -7, ...tokens(60)])).toBe(true);
    expect(turn("b", [...tokens(50), -7, ...tokens(60), -9])).toBe(false);
  });

  test("among several, another question about an image that makes up most of the prompt", () => {
    const turn = saved();
    turn("a", tokens(100));
    turn("b", [...tokens(4), -7, ...tokens(6, 200)], 3);
    expect(turn("b", [...tokens(4), -7, ...tokens(5, 300)], 3)).toBe(true);
    expect(turn("b", [...tokens(4), -9, ...tokens(6, 200)], 3)).toBe(false);
  });

  test("among several, none after a prompt that was not fed to its end", () => {
    const turn = saved();
    turn("a", tokens(100));
    turn("b", tokens(100), 0);
    expect(turn("b", tokens(110))).toBe(false);
  });
});

describe("two images without a text between them, which llama.cpp cannot part", () => {
  const [a, b, c] = [-1, -2, -3];
  const saved = () => {
    const prompts = new PromptCacheTracker(perToken(1_000));
    return (prompt: readonly number[], completionTokens = 4): boolean => {
      const mayReuse = prompts.mayReuse("any", prompt);
      prompts.begin("any", prompt);
      const promptTokens = prompt.reduce((sum, token) => sum + (token < 0 ? 16 : 1), 0);
      prompts.note({ promptTokens, cachedTokens: 0, completionTokens }, "any", prompt);
      return mayReuse;
    };
  };

  test.each([
    ["another second image", [5, a, c, 6]],
    ["the first alone", [5, a, 6]],
    ["one more between them", [5, a, c, b, 6]],
  ])("%s: nothing is reused, also after an aborted prompt, or one that displaced them", (_, next) => {
    for (const between of [[], [[7, 8]], [[9]]]) {
      const turn = saved();
      expect(turn([5, a, b, 6])).toBe(true);
      for (const other of between) turn(other, 0);
      expect(turn(next)).toBe(false);
    }
  });

  test("another text behind them, before them or between images with texts is reused", () => {
    const turn = saved();
    expect(
      [[5, a, b, 6], [5, a, b, 7], [4, a, c], [5], [3, a, 6, b], [3, a, 6, c]].map((of) => turn(of)),
    ).toEqual(Array(6).fill(true));
  });

  test("a conversation about other images goes on", () => {
    const turn = saved();
    turn([5, a, b, 6]);
    expect([turn([5, a, c, 6]), turn([5, a, c, 6, 7, 8]), turn([5, a, c, 6, 7, 8, 9])]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe("the plan for WebGPU", () => {
  const gpu = { name: "any", maxTensorBytes: 2 ** 27 };

  test("the graphics card takes what the address space of WebAssembly does not, with one thread", () => {
    onDevice({}, true);
    const halves = [{ size: 1.9 * GIB }, { size: 1.9 * GIB }, { size: 1.9 * GIB }];
    expect(() => planMemory(metadata, halves, {})).toThrow(
      expect.objectContaining({ code: "insufficient_memory" }),
    );
    expect(planMemory(metadata, halves, { gpu, threads: 4 })).toMatchObject({ threads: 1 });
    onDevice({ deviceMemory: 4 });
    expect(() => planMemory(metadata, halves, { gpu })).toThrow(
      expect.objectContaining({ code: "insufficient_memory" }),
    );
  });

  test("keys and values of a layer fit into one binding", () => {
    onDevice({});
    const contextWindow = 8_192;
    // Two heads with 64 numbers of two bytes each.
    const bytes = contextWindow * 2 * (64 + 64) * 2;
    const within = (maxTensorBytes: number) =>
      planMemory(metadata, parts, { contextWindow, gpu: { ...gpu, maxTensorBytes } });
    expect(within(bytes).contextWindow).toBe(contextWindow);
    expect(() => within(bytes - 1)).toThrow(expect.objectContaining({ code: "engine_unavailable" }));
    expect(planMemory(metadata, parts, { contextWindow: 1_024, gpu }).contextWindow).toBe(1_024);
  });
});
