import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import {
  isNamedIn,
  knownToBuild,
  requireKnownArchitecture,
} from "../../../../worker/engines/llamacpp/known-architectures.ts";

const wllama = dirname(createRequire(import.meta.url).resolve("@wllama/wllama/esm/index.js"));
const binary = new Uint8Array(await readFile(join(wllama, "wasm/wllama.wasm")));

test.each([
  "llama",
  "qwen2",
  "qwen3",
  "qwen35",
  "gemma3",
  "gemma4",
  "gemma-embedding2",
  "lfm3",
  "mistral-large4",
  "phi3",
  "lfm2",
  "granitehybrid",
  "smollm3",
  "nemotron_h",
])("the shipped llama.cpp has '%s'", (name) => expect(isNamedIn(binary, name)).toBe(true));

test.each(["llama5", "gemma9", "unheard-of", "", "a\0b", "blk.%d"])("it has no '%s'", (name) =>
  expect(isNamedIn(binary, name)).toBe(false),
);

afterEach(() => vi.unstubAllGlobals());

test("a build that cannot be read to its end is left to its own load", async () => {
  const broken = new ReadableStream({
    pull: (controller) => controller.error(new TypeError("network error")),
  });
  let signal: AbortSignal | null | undefined;
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    signal = init.signal;
    return new Response(broken);
  });
  expect(await knownToBuild("https://app.test/wllama.wasm")("gemma9")).toBe(true);
  expect(signal).toBeInstanceOf(AbortSignal);
});

test("a file of an unknown architecture, or of none, is refused by name", async () => {
  const knows = async (name: string) => isNamedIn(binary, name);
  const refusal = (...entries: [string, string][]) =>
    expect(requireKnownArchitecture(new Map(entries), knows)).rejects;
  await refusal(["general.architecture", "gemma9"]).toMatchObject({
    code: "model_load_failed",
    message: expect.stringContaining("'gemma9' is unknown to this version of llama.cpp"),
  });
  await refusal().toMatchObject({ message: expect.stringContaining("does not name its architecture") });
});
