/** Size of the context that llama.cpp keeps for a GGUF model, from the file's metadata. */

import { type GgufValues, NotGguf } from "../../../model-store/gguf/metadata.ts";

/** Memory of a context, apart from the precision of keys and values. */
interface KvLayout {
  /** Numbers in the keys and values of all layers at a context window. */
  numbersAt(window: number): number;
  /** Attention heads of one layer. */
  heads: number;
  /** State of recurrent layers, whatever the window. */
  stateBytes: number;
}

/** Eight times as many as the deepest models have. */
const MAX_LAYERS = 1_024;
/** llama.cpp allocates cells in groups. */
const CELLS = 256;

/**
 * One layer in so many attends to everything, the others to a window. llama.cpp has these numbers in its code, where
 * the file has none (`src/models/*.cpp`, `set_swa_pattern`).
 */
const FULL_LAYER_EVERY: Readonly<Record<string, number>> = {
  gemma2: 2,
  gemma3: 6,
  gemma3n: 5,
  cohere2: 4,
  olmo2: 4,
  exaone4: 4,
  "gpt-oss": 2,
};

/**
 * @param stepTokens tokens that llama.cpp computes at once
 * @throws {EngineError} `model_load_failed` for more layers than any model has
 */
export function kvLayout(metadata: GgufValues, stepTokens: number): KvLayout {
  const layers = new Layers(metadata);
  const slidingCells = cells(layers.slidingWindow + stepTokens);
  // The last layers of some architectures use the keys and values of earlier ones.
  const owning = layers.indices.slice(
    0,
    Math.max(0, layers.indices.length - layers.number("attention.shared_kv_layers")),
  );
  const attending = owning.filter((layer) => !layers.isRecurrent(layer));
  const sum = (of: readonly number[]): number => of.reduce((total, layer) => total + layers.width(layer), 0);
  const sliding = sum(attending.filter((layer) => layers.isSliding(layer)));
  const full = sum(attending) - sliding;
  const recurrent = owning.length - attending.length;
  return {
    numbersAt: (window) => cells(window) * full + Math.min(cells(window), slidingCells) * sliding,
    heads: layers.heads,
    stateBytes: stateBytesOf(recurrent || layers.indices.length, (key, otherwise) =>
      layers.number(key, otherwise),
    ),
  };
}

/** The layers of a model, as its metadata describes them. */
class Layers {
  readonly #metadata: GgufValues;
  readonly #architecture: string;
  readonly indices: readonly number[];
  /** The most attention heads of a layer. */
  readonly heads: number;
  /** Tokens; 0: every layer attends to everything. */
  readonly slidingWindow: number;

  constructor(metadata: GgufValues) {
    this.#metadata = metadata;
    this.#architecture = String(metadata.get("general.architecture"));
    const count = this.number("block_count");
    if (count > MAX_LAYERS) throw new NotGguf(`it declares ${count} layers, which are too many`);
    this.indices = Array.from({ length: count }, (_, at) => at);
    this.heads = Math.max(...this.indices.map((at) => this.#ofLayer("attention.head_count", at, 0)), 1);
    this.slidingWindow = this.number("attention.sliding_window");
  }

  number(key: string, otherwise = 0): number {
    const found = this.#value(key);
    return typeof found === "number" ? found : otherwise;
  }

  isSliding(layer: number): boolean {
    if (this.slidingWindow === 0) return false;
    const pattern = this.#value("attention.sliding_window_pattern");
    if (Array.isArray(pattern)) return Boolean(pattern[layer]);
    const known = FULL_LAYER_EVERY[this.#architecture];
    const fullEvery = known && this.number("attention.sliding_window_pattern", known);
    return fullEvery !== undefined && fullEvery > 0 && (layer + 1) % fullEvery !== 0;
  }

  isRecurrent(layer: number): boolean {
    const fullEvery = this.number("full_attention_interval");
    return this.#kvHeads(layer) === 0 || (fullEvery > 0 && (layer + 1) % fullEvery !== 0);
  }

  /** Numbers in the keys and values of one token in one layer. */
  width(layer: number): number {
    const headWidth = this.number("embedding_length") / this.heads;
    const length = (kind: "key" | "value"): number => {
      const full = this.number(`attention.${kind}_length`, headWidth);
      return this.isSliding(layer) ? this.number(`attention.${kind}_length_swa`, full) : full;
    };
    return this.#kvHeads(layer) * (length("key") + length("value"));
  }

  /** As many as the layer has heads, where the file does not list them: none in models without attention. */
  #kvHeads(layer: number): number {
    return this.#ofLayer(
      "attention.head_count_kv",
      layer,
      this.#ofLayer("attention.head_count", layer, this.heads),
    );
  }

  /** Some architectures list a value for each layer. */
  #ofLayer(key: string, layer: number, otherwise: number): number {
    const found = this.#value(key);
    return Array.isArray(found) ? Number(found[layer] ?? 0) : this.number(key, otherwise);
  }

  #value(key: string) {
    return this.#metadata.get(`${this.#architecture}.${key}`);
  }
}

/** State of Mamba's and similar layers: convolution and memory, in f32. RWKV has the last tokens and a matrix per head. */
function stateBytesOf(layers: number, number: (key: string, otherwise?: number) => number): number {
  const headSize = number("wkv.head_size");
  if (headSize > 0)
    return layers * number("embedding_length") * (number("token_shift_count", 2) + headSize) * 4;
  const [inner, state, kernel] = [
    number("ssm.inner_size"),
    number("ssm.state_size"),
    number("ssm.conv_kernel"),
  ];
  const convolution = Math.max(0, kernel - 1) * (inner + 2 * number("ssm.group_count") * state);
  return layers * (inner * state + convolution) * 4;
}

function cells(tokens: number): number {
  return Math.ceil(tokens / CELLS) * CELLS;
}
