/** Less memory than the budget estimates: of a graphics card, or for WebAssembly, as on phones. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EngineEvent } from "../../../../src/protocol/events.ts";
import type { ServerOptions } from "../../../../src/protocol/options/server-options.ts";
import type { ChatEngine, GenerateRequest } from "../../../../worker/engine-api/chat-engine.ts";
import { EngineError } from "../../../../worker/engine-api/engine-error.ts";
import { RemoteChatEngine } from "../../../../worker/engines/chat/remote-engine.ts";
import { createChatEngineStart } from "../../../../worker/engines/chat/start-chat-engine.ts";
import type { LoadableModel } from "../../../../worker/engines/scheduling/start-engine.ts";
import { EngineSupervisor } from "../../../../worker/engines/scheduling/supervisor.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { startFakeEngine } from "../../../fakes/fake-engine-worker.ts";

const ROOM = { freeBytes: 9e9, idleBytes: 0, mostBytes: 9e9 };
const ENGINES = { webllm: "webllm.js", llamacpp: "llamacpp.js", transformers: "transformers.js" };
const LIMITS = {
  maxBufferSize: 2 ** 31,
  maxStorageBufferBindingSize: 2 ** 30,
  maxComputeWorkgroupStorageSize: 2 ** 15,
  maxStorageBuffersPerShaderStage: 10,
};
/** What each start was given: the engine's script and the free memory. */
let starts: [script: string, freeBytes: number][];
let events: EngineEvent[];

beforeEach(() => {
  starts = [];
  events = [];
  const adapter = { features: new Set(["shader-f16"]), limits: LIMITS, info: {} };
  vi.stubGlobal("navigator", { gpu: { requestAdapter: async () => adapter } });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** @param fails which starts run out of memory */
function load(fails: (script: string, freeBytes: number) => boolean, build: object = {}) {
  vi.spyOn(RemoteChatEngine, "start").mockImplementation((async (
    worker: { workerURL: string },
    given: { room: typeof ROOM },
  ) => {
    starts.push([worker.workerURL, given.room.freeBytes]);
    if (fails(worker.workerURL, given.room.freeBytes))
      throw new EngineError("out_of_memory", "The GPU is full.");
    return { info: {} } as ChatEngine;
  }) as never);
  const start = createChatEngineStart({
    options: { engineURLs: ENGINES, hub: { url: "https://hub.test/" } } as ServerOptions,
    serverLock: "lock",
    emit: (event) => events.push(event),
    memory: { roomFor: () => ROOM },
  });
  const model = { id: "m", builds: { webllm: build, llamacpp: {} } } as unknown as LoadableModel;
  return () => start(model, { onProgress: () => {}, onEnd: () => {}, signal: new AbortController().signal });
}

test("a model is tried once more with the smallest usual window, and starts with it from then on", async () => {
  const start = load((_, freeBytes) => freeBytes > 0);
  await start();
  await start();
  expect(starts).toEqual([
    ["webllm.js", 9e9],
    ["webllm.js", 0],
    ["webllm.js", 0],
  ]);
});

test("then llama.cpp takes it", async () => {
  await load((script) => script === "webllm.js")();
  expect(starts.map(([script]) => script)).toEqual(["webllm.js", "webllm.js", "llamacpp.js"]);
  expect(events).toContainEqual(expect.objectContaining({ state: "fallback" }));
});

test("an explicit window is not tried smaller", async () => {
  await load((script) => script === "webllm.js", { contextWindow: 8_192 })();
  expect(starts.map(([script]) => script)).toEqual(["webllm.js", "llamacpp.js"]);
});

test("without WebGPU, a model is also tried once more with the smallest usual window, then fails", async () => {
  vi.stubGlobal("navigator", {});
  await load((_, freeBytes) => freeBytes > 0)();
  expect(starts).toEqual([
    ["llamacpp.js", 9e9],
    ["llamacpp.js", 0],
  ]);
  starts = [];
  await expect(load(() => true)()).rejects.toMatchObject({ code: "out_of_memory" });
  expect(starts).toHaveLength(2);
});

test("a model whose running engine is refused memory gets the smallest usual window at its next start", async () => {
  const start = load(() => false);
  await start();
  const [{ onEnd }] = vi.mocked(RemoteChatEngine.start).mock.calls[0]!;
  onEnd("the browser gives WebAssembly no more memory", "out_of_memory");
  await start();
  expect(starts.map(([, freeBytes]) => freeBytes)).toEqual([9e9, 0]);
});

test("a reply that runs out of memory is repeated on another engine, with the smallest usual window", async () => {
  const { replies, state } = await startFakeEngine({ engine: "llamacpp" });
  state.loads = [];
  const start = createChatEngineStart({
    options: { engineURLs: ENGINES, hub: { url: "https://hub.test/" } } as ServerOptions,
    serverLock: "lock",
    emit: () => {},
    memory: { roomFor: () => ROOM },
  });
  const engines = new EngineSupervisor({ start, emit: () => {}, maxQueued: 8, clock: new FakeClock(0) });
  const model = { id: "m", builds: { llamacpp: {} } } as unknown as LoadableModel;
  const first = await engines.engine(model);
  const step = first.generate({} as GenerateRequest, new AbortController().signal).next();
  step.catch(() => {});
  await expect.poll(() => replies.length, { interval: 1 }).toBe(1);
  replies[0]!.tell({ type: "error", error: { code: "out_of_memory", message: "bad_alloc" } });
  // At once, as `generate()` does.
  const second = await step.catch(() => engines.engine(model));
  expect(second).toBeInstanceOf(RemoteChatEngine);
  expect(second).not.toBe(first);
  expect(state.loads).toMatchObject([{ room: { freeBytes: 9e9 } }, { room: { freeBytes: 0 } }]);
});
