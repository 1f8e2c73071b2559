/** Log probabilities of prompts with a SentencePiece vocabulary, whose texts begin with a BOS token and a space. */

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type MetadataValue, writeGguf } from "../../../../models/gguf/gguf-file.ts";
import type { LlamaInstance } from "../../../../worker/engines/llamacpp/llama-instance.ts";
import { scorePrompt } from "../../../../worker/engines/llamacpp/prompt-scores.ts";
import { GgufTokenizer } from "../../../../worker/engines/llamacpp/tokenizer/gguf-tokenizer.ts";
import { readMetadata } from "../../../../worker/model-store/gguf/metadata.ts";
import { tinyContents } from "../../../support/gguf/variants.ts";
import { loadLlamaInstance } from "../../../support/node-llamacpp.ts";

const NEVER = new AbortController().signal;

let instance: LlamaInstance;
let tokenizer: GgufTokenizer;

beforeAll(async () => {
  const { metadata, tensors } = await tinyContents("q8_0");
  const file = new Blob([new Uint8Array(writeGguf({ ...metadata, ...sentencePiece(metadata) }, tensors))]);
  tokenizer = new GgufTokenizer(await readMetadata(file));
  instance = await loadLlamaInstance([file], { contextWindow: 512 });
}, 60_000);

afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The built-in model's vocabulary with a token for each byte, one for a space alone, and scores instead of merges. */
function sentencePiece(metadata: Record<string, MetadataValue>): Record<string, MetadataValue> {
  const { values } = metadata["tokenizer.ggml.tokens"] as { values: readonly string[] };
  const tokens = values.map((token, id) =>
    id < 256
      ? `<0x${id.toString(16).toUpperCase().padStart(2, "0")}>`
      : id === 256
        ? "\u2581"
        : token.replaceAll("\u0120", "\u2581"),
  );
  const types = tokens.map((_, id) => (id < 256 ? 6 : id >= tokens.length - 12 ? 3 : 1));
  return {
    "tokenizer.ggml.model": { type: "string", value: "llama" },
    "tokenizer.ggml.tokens": { type: "array", of: "string", values: tokens },
    "tokenizer.ggml.token_type": { type: "array", of: "int32", values: types },
    "tokenizer.ggml.scores": { type: "array", of: "float32", values: tokens.map((_, id) => -id) },
    "tokenizer.ggml.add_bos_token": { type: "bool", value: true },
  };
}

test("a space alone is a token with text", async () => {
  const own = tokenizer.encode("It was 12 and 3");
  expect(own).toContain(256);
  const tokens = [instance.bosToken, ...own];
  const scored = await scorePrompt(instance, tokenizer, { tokens, top: 1 }, NEVER);
  expect(scored.map(({ id }) => id)).toEqual(tokens);
  expect(scored.map(({ token }) => token).join("")).toBe("<|endoftext|> It was 12 and 3");
  expect(scored.slice(1).every(({ score }) => score!.logprob < 0)).toBe(true);
}, 60_000);

test("a character of several byte tokens is refused", async () => {
  const tokens = [instance.bosToken, ...tokenizer.encode("I like é")];
  await expect(scorePrompt(instance, tokenizer, { tokens, top: 0 }, NEVER)).rejects.toMatchObject({
    code: "unsupported_parameter",
  });
}, 60_000);
