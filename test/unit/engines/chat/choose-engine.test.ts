import { describe, expect, test } from "vitest";
import type { ChatBuilds } from "../../../../worker/engine-api/model-files.ts";
import { chooseEngine, substituteNote } from "../../../../worker/engines/chat/choose-engine.ts";

const webllm = { sourceURL: "", cacheURL: "", known: [], library: "" };
const llamacpp = { sourceURL: "", cacheURL: "", parts: [] };
const NO_GPU = { reason: "no navigator.gpu", message: "There is no WebGPU. Get some." };
const both: ChatBuilds = { webllm, llamacpp };

describe("what is chosen", () => {
  test.each([
    ["WebGPU and both builds", both, { gpuFault: undefined, losses: 0 }, "webllm"],
    ["one loss, which may be an accident", both, { gpuFault: undefined, losses: 1 }, "webllm"],
    ["two losses", both, { gpuFault: undefined, losses: 2 }, "llamacpp"],
    ["no WebGPU", both, { gpuFault: NO_GPU, losses: 0 }, "llamacpp"],
    ["a GGUF alone", { llamacpp }, { gpuFault: undefined, losses: 0 }, "llamacpp"],
    ["two losses and nothing else to run", { webllm }, { gpuFault: undefined, losses: 2 }, "webllm"],
  ] as const)("%s", (_, builds, circumstances, engine) => {
    expect(chooseEngine({ id: "m", builds }, circumstances)).toBe(engine);
  });

  test("what a record forces, whatever happened", () => {
    const losses = 5;
    expect(
      chooseEngine({ id: "m", builds: both, engine: "llamacpp" }, { gpuFault: undefined, losses: 0 }),
    ).toBe("llamacpp");
    expect(chooseEngine({ id: "m", builds: both, engine: "webllm" }, { gpuFault: undefined, losses })).toBe(
      "webllm",
    );
  });
});

describe("engine_unavailable says what is missing", () => {
  test.each([
    ["WebGPU, and a GGUF file", { builds: { webllm } }, /needs WebGPU.*no GGUF file.*Get some/],
    [
      "WebGPU that the record demands",
      { builds: both, engine: "webllm" as const },
      /requires WebGPU.*Get some/,
    ],
    [
      "the build that the record demands",
      { builds: { webllm }, engine: "llamacpp" as const },
      /no GGUF file/,
    ],
    ["any build", { builds: {} }, /no MLC build/],
  ])("%s", (_, model, words) => {
    const choose = () => chooseEngine({ id: "m", ...model }, { gpuFault: NO_GPU, losses: 0 });
    expect(choose).toThrow(
      expect.objectContaining({ code: "engine_unavailable", message: expect.stringMatching(words) }),
    );
  });
});

describe("a model that is not in its first choice says why", () => {
  const substitute: ChatBuilds = {
    webllm: { ...webllm, insteadBecause: "adapter lacks shader-f16" },
    llamacpp,
  };

  test.each([
    ["the 32-bit build", { builds: substitute }, "webllm", undefined, /32-bit build.*lacks shader-f16/],
    ["WebGPU that cannot be used", { builds: both }, "llamacpp", NO_GPU, /not used: no navigator\.gpu/],
    ["the first choice", { builds: both }, "webllm", undefined, undefined],
    ["a GGUF alone", { builds: { llamacpp } }, "llamacpp", NO_GPU, undefined],
    ["what a record forces", { builds: both, engine: "llamacpp" }, "llamacpp", NO_GPU, undefined],
  ] as const)("%s", (_, model, engine, gpuFault, words) => {
    const note = substituteNote(model, engine, gpuFault);
    if (words === undefined) expect(note).toBeUndefined();
    else expect(note).toMatch(words);
  });

  test("a GGUF on WebGPU, because the adapter does not suit web-llm", () => {
    const low = { reason: "maxStorageBuffersPerShaderStage 8 < 10", message: "" };
    expect(substituteNote({ builds: both }, "llamacpp", low, true)).toBe(
      "The MLC build is not used: maxStorageBuffersPerShaderStage 8 < 10.",
    );
  });
});
