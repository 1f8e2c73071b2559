import { expect, test } from "vitest";
import { chooseDriver } from "../../../../worker/engines/webllm/load/load-engine.ts";
import type { LoadedModel } from "../../../../worker/engines/webllm/load-model.ts";
import { SingleEngine } from "../../../../worker/engines/webllm/single/single-engine.ts";
import { missingMembers, type Pipeline } from "../../../../worker/engines/webllm/tvm/pipeline.ts";

/** A loaded model whose library has no `batch_decode`. */
function modelWith(config: object, abi: object = {}) {
  const calls: string[] = [];
  const pipeline = {
    tvm: { beginScope: () => {}, endScope: () => {}, detachFromCurrentScope: <T>(one: T) => one },
    vm: {
      getFunction: (name: string) => {
        throw new Error(`Cannot find function ${name}`);
      },
    },
    resolvedModelABI: { needsKVCache: true, needsRNNState: false, ...abi },
    resetChat: () => void calls.push("resetChat"),
  };
  return { model: { pipeline, config, info: { notes: ["first"] } } as unknown as LoadedModel, calls };
}

test.each([
  [{}, {}, "Cannot find function batch_decode"],
  [{}, { needsRNNState: true }, "the model has a recurrent state"],
  [{ sliding_window_size: 4096 }, {}, "the model has sliding windows"],
  [
    { model_config: { layer_types: ["full_attention", "sliding_attention"] } },
    {},
    "the model has sliding windows",
  ],
  [
    { model_config: { sliding_window: 4096, use_sliding_window: false } },
    {},
    "Cannot find function batch_decode",
  ],
])(
  "a model with %j and %j is driven through web-llm's chat API, and a note says why",
  async (config, abi, why) => {
    const { model, calls } = modelWith(config, abi);
    const engine = await chooseDriver(model);
    expect(engine).toBeInstanceOf(SingleEngine);
    expect(engine.info.notes).toEqual(["first", `Only the last conversation stays in the KV cache: ${why}.`]);
    // What a test may have left in the cache is gone.
    if (why.startsWith("Cannot")) expect(calls).toEqual(["resetChat"]);
  },
);

test("members that another version of web-llm lacks, or has with another type, are named", () => {
  const { model } = modelWith({});
  const missing = missingMembers({ ...model.pipeline, prefillChunkSize: "256" } as unknown as Pipeline);
  expect(missing).toEqual(
    expect.arrayContaining(["prefillChunkSize", "invokePrefill", "tvm.empty", "device.sync"]),
  );
  expect(missing).not.toContain("resetChat");
  expect(missing).not.toContain("tvm.beginScope");
});
