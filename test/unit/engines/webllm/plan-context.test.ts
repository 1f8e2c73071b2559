import { describe, expect, test } from "vitest";
import { estimateMemory } from "../../../../worker/engines/memory/estimate.ts";
import { planContext } from "../../../../worker/engines/webllm/load/plan-context.ts";
import { mostParallel } from "../../../../worker/engines/webllm/schedule/parallel.ts";

const GPU = { maxStorageBufferBindingSize: 2 ** 30 };

/** Llama 3.2 3B: 28 layers, 8 key-value heads of dimension 128, published with web-llm's memory of 4,096 tokens. */
const llama = {
  quantization: "q4f16_1",
  context_window_size: 131_072,
  sliding_window_size: -1,
  model_config: {
    hidden_size: 3072,
    num_hidden_layers: 28,
    num_attention_heads: 24,
    num_key_value_heads: 8,
    head_dim: 128,
  },
};
const weights = 1_700_000_000;
const PER_TOKEN = 28 * 8 * 128 * 2 * 2;

/** Memory that one more token takes, over many tokens. */
function perToken(config: object): number {
  const at = (contextWindow: number) =>
    planContext({ ...config }, weights, { contextWindow }, GPU).memoryBytes;
  return (at(8_016) - at(16)) / 8_000;
}

describe("the size of keys and values", () => {
  test("follows the heads of the layers, in the precision of the build", () => {
    expect(perToken(llama)).toBe(PER_TOKEN);
    expect(perToken({ ...llama, quantization: "q4f32_1" })).toBe(2 * PER_TOKEN);
  });

  test("has all heads where the model has no groups, and the quotient where it has no width of a head", () => {
    const { head_dim, num_key_value_heads, ...rest } = llama.model_config;
    expect(perToken({ ...llama, model_config: rest })).toBe(28 * 3072 * 2 * 2);
  });

  test("counts layers with attention alone in hybrid models, wherever the sizes stand", () => {
    const layer_types = Array.from({ length: 24 }, (_, at) =>
      at % 4 === 3 ? "full_attention" : "linear_attention",
    );
    const sizes = { num_hidden_layers: 24, num_attention_heads: 8, num_key_value_heads: 2, head_dim: 256 };
    const bytes = 6 * 2 * 256 * 2 * 2;
    expect(perToken({ ...llama, model_config: { ...sizes, layer_types } })).toBe(bytes);
    expect(
      perToken({ ...llama, model_config: { text_config: { ...sizes, full_attention_interval: 4 } } }),
    ).toBe(bytes);
  });
});

test("the plan adds the context to what the published memory leaves for the rest", () => {
  const memoryAt = { contextWindow: 4_096, bytes: 2_264_000_000 };
  const plan = planContext(llama, weights, { memoryAt }, GPU);
  expect(plan).toMatchObject({ contextWindow: 8_192, maxContextWindow: 131_072 });
  expect(plan.memoryBytes).toBe(memoryAt.bytes + 4_096 * PER_TOKEN);
});

test("the window is the configuration's; a model with one sliding window has that", () => {
  const maxOf = (config: object) => planContext({ ...llama, ...config }, weights, {}, GPU).maxContextWindow;
  expect(maxOf({ context_window_size: -1, sliding_window_size: 4_096 })).toBe(4_096);
  expect(maxOf({ context_window_size: 32_768, sliding_window_size: 4_096 })).toBe(32_768);
  expect(maxOf({ context_window_size: -1 })).toBe(8_192);
});

test("the keys and values of a layer fit into one buffer of the adapter", () => {
  const files = { contextWindow: 131_072 };
  expect(planContext(llama, weights, files, GPU).contextWindow).toBe(131_072);
  const small = { maxStorageBufferBindingSize: 2 ** 27 };
  expect(() => planContext(llama, weights, files, small)).toThrow(
    expect.objectContaining({ code: "insufficient_memory", message: expect.stringMatching(/at most 32752/) }),
  );
});

test("a build without sizes has its own window, whatever the memory", () => {
  const { model_config, ...bare } = llama;
  const files = { contextWindow: 131_072, room: { freeBytes: 0, idleBytes: 0, mostBytes: 3_000_000_000 } };
  expect(planContext(bare, weights, files, GPU).contextWindow).toBe(131_072);
});

test("all pages of the window are counted, the one beyond it, and the lists of pages", () => {
  const { memoryBytes } = planContext(llama, weights, { contextWindow: 1_000 }, GPU);
  const pages = Math.ceil(1_000 / 16) + 1;
  expect(memoryBytes - estimateMemory(weights)).toBe(pages * 16 * PER_TOKEN + mostParallel() * 512 * 1024);
});
