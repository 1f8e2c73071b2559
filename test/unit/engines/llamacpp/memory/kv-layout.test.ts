import { describe, expect, test } from "vitest";
import { kvLayout } from "../../../../../worker/engines/llamacpp/memory/kv-layout.ts";
import type { GgufValue } from "../../../../../worker/model-store/gguf/metadata.ts";

const STEP = 32;

function layoutOf(architecture: string, values: Record<string, GgufValue>) {
  const keys = Object.entries(values).map(([key, value]): [string, GgufValue] => [
    `${architecture}.${key}`,
    value,
  ]);
  return kvLayout(new Map<string, GgufValue>([["general.architecture", architecture], ...keys]), STEP);
}

/** Gemma 3 1B: one layer in six attends to everything, the others to 512 tokens. */
const gemma3 = {
  block_count: 26,
  embedding_length: 1152,
  "attention.head_count": 4,
  "attention.head_count_kv": 1,
  "attention.key_length": 256,
  "attention.value_length": 256,
  "attention.sliding_window": 512,
};

describe("keys and values", () => {
  test("of all layers, in cells of 256 tokens", () => {
    const { numbersAt, heads, stateBytes } = layoutOf("llama", {
      block_count: 16,
      embedding_length: 2048,
      "attention.head_count": 32,
      "attention.head_count_kv": 8,
    });
    expect(numbersAt(300)).toBe(512 * 16 * 8 * 64 * 2);
    expect([heads, stateBytes]).toEqual([32, 0]);
  });

  test("of a sliding window do not grow with the context", () => {
    const one = 2 * 256;
    const { numbersAt } = layoutOf("gemma3", gemma3);
    expect(numbersAt(256)).toBe(256 * 26 * one);
    expect(numbersAt(32_768)).toBe(32_768 * 4 * one + 768 * 22 * one);
    expect(layoutOf("gemma3", { ...gemma3, "attention.sliding_window_pattern": 2 }).numbersAt(32_768)).toBe(
      32_768 * 13 * one + 768 * 13 * one,
    );
  });

  test("of layers that the file lists as sliding have widths of their own, and shared layers have none", () => {
    const listed = layoutOf("gemma4", {
      ...gemma3,
      block_count: 6,
      "attention.sliding_window_pattern": [true, true, false, true, true, false],
      "attention.key_length": 512,
      "attention.value_length": 512,
      "attention.key_length_swa": 256,
      "attention.value_length_swa": 256,
      "attention.shared_kv_layers": 3,
    });
    expect(listed.numbersAt(8_192)).toBe(8_192 * 1024 + 768 * 2 * 512);
  });

  test("of an unknown architecture are those of whole windows", () => {
    expect(layoutOf("unheard-of", gemma3).numbersAt(8_192)).toBe(8_192 * 26 * 512);
    const { "attention.sliding_window": _, ...full } = gemma3;
    expect(layoutOf("gemma3", full).numbersAt(8_192)).toBe(8_192 * 26 * 512);
  });
});

describe("hybrid models", () => {
  const ssm = { "ssm.inner_size": 3072, "ssm.state_size": 128, "ssm.conv_kernel": 4, "ssm.group_count": 1 };
  const state = (3072 * 128 + 3 * (3072 + 2 * 128)) * 4;
  const sizes = { embedding_length: 1536, "attention.head_count": 12 };

  test("list the heads of each layer: recurrent ones have a state instead (Granite-H, Nemotron-H)", () => {
    const heads = Array.from({ length: 40 }, (_, at) => (at % 10 === 5 ? 4 : 0));
    const { numbersAt, stateBytes } = layoutOf("granitehybrid", {
      ...sizes,
      ...ssm,
      block_count: 40,
      "attention.head_count_kv": heads,
    });
    expect(numbersAt(1024)).toBe(1024 * 4 * 4 * 128 * 2);
    expect(stateBytes).toBe(36 * state);
  });

  test("or the interval of layers with attention (Qwen3.5)", () => {
    const { numbersAt, stateBytes } = layoutOf("qwen35", {
      ...sizes,
      ...ssm,
      block_count: 24,
      "attention.head_count_kv": 2,
      full_attention_interval: 4,
    });
    expect(numbersAt(1024)).toBe(1024 * 6 * 2 * 128 * 2);
    expect(stateBytes).toBe(18 * state);
  });

  test("or have both in every layer (Falcon-H1)", () => {
    const { numbersAt, stateBytes } = layoutOf("falcon-h1", {
      ...sizes,
      ...ssm,
      block_count: 24,
      "attention.head_count_kv": 2,
    });
    expect([numbersAt(256), stateBytes]).toEqual([256 * 24 * 2 * 128 * 2, 24 * state]);
  });
});

describe("models without attention have a state alone", () => {
  const none = { "attention.head_count": 0, block_count: 64, embedding_length: 2560 };

  test("Mamba", () => {
    const ssm = { "ssm.inner_size": 5120, "ssm.state_size": 16, "ssm.conv_kernel": 4 };
    const { numbersAt, heads, stateBytes } = layoutOf("mamba", { ...none, ...ssm });
    expect([numbersAt(8_192), heads, stateBytes]).toEqual([0, 1, 64 * (5120 * 16 + 3 * 5120) * 4]);
  });

  test("RWKV, whose layers may shift once or twice", () => {
    const state = (changes: object) => {
      const { numbersAt, stateBytes } = layoutOf("rwkv7", { ...none, "wkv.head_size": 64, ...changes });
      return [numbersAt(8_192), stateBytes];
    };
    expect(state({})).toEqual([0, 64 * 2560 * (64 + 2) * 4]);
    expect(state({ token_shift_count: 1 })).toEqual([0, 64 * 2560 * (64 + 1) * 4]);
  });
});

test("more layers than any model has are refused", () => {
  expect(() => layoutOf("llama", { block_count: 2_000_000 })).toThrow(/declares 2000000 layers/);
});
