import { expect, test } from "vitest";
import { builtInModels, TINY_REASONING } from "../../../worker/catalog/built-in.ts";
import { supportsVision } from "../../../worker/catalog/supports-vision.ts";

const file = (name: string) => ({ name, bytes: 10, sha256: "0".repeat(64) });
const row = { version: "1", contextWindow: 1024, created: 1, gguf: file("a.gguf") };

test("a built-in model has the builds that its files are for", () => {
  const [tiny, eyes] = builtInModels("https://app.test/models/", {
    tiny: { ...row, reasoning: TINY_REASONING, files: [file("a.json")] },
    eyes: { ...row, abilities: { tools: false, reasoning: false }, projector: file("mmproj.gguf") },
  });
  expect([tiny, eyes].map((model) => Object.keys(model!.builds))).toEqual([
    ["webllm", "llamacpp"],
    ["llamacpp"],
  ]);
  expect([tiny, eyes].map((model) => model!.downloadBytes)).toEqual([10, 20]);
  expect([tiny, eyes].map((model) => supportsVision(model!))).toEqual([false, true]);
  expect([tiny, eyes].map((model) => model!.kind === "chat" && model!.abilities?.tools)).toEqual([
    undefined,
    false,
  ]);
  expect(eyes!.reasoning).toBeUndefined();
});
