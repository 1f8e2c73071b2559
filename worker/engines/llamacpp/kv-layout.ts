/** Size of the context that llama.cpp keeps for a GGUF model, from the file's metadata. */

import { type GgufValues, NotGguf } from "../../model-store/gguf/metadata.ts";

/** Memory of a context, apart from the precision of keys and values. */
export interface KvLayout {
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
  const architecture = String(metadata.get("general.architecture"));
  const value = (key: string) => metadata.get(`${architecture}.${key}`);
  const number = (key: string, otherwise = 0): number => {
    const found = value(key);
    return typeof found === "number" ? found : otherwise;
  };
  /** Some architectures list a value for each layer. */
  const ofLayer = (key: string, layer: number, otherwise: number): number => {
    const found = value(key);
    return Array.isArray(found) ? Number(found[layer] ?? 0) : number(key, otherwise);
  };
  const layers = number("block_count");
  if (layers > MAX_LAYERS) throw new NotGguf(`it declares ${layers} layers, which are too many`);
  const heads = Math.max(
    ...Array.from({ length: layers }, (_, at) => ofLayer("attention.head_count", at, 0)),
    1,
  );
  const headWidth = number("embedding_length") / heads;
  const interval = number("full_attention_interval");
  const slidingWindow = number("attention.sliding_window");
  const slidingCells = cells(slidingWindow + stepTokens);
  const pattern = value("attention.sliding_window_pattern");
  const fullEvery =
    FULL_LAYER_EVERY[architecture] &&
    number("attention.sliding_window_pattern", FULL_LAYER_EVERY[architecture]);

  const isSliding = (layer: number): boolean => {
    if (slidingWindow === 0) return false;
    if (Array.isArray(pattern)) return Boolean(pattern[layer]);
    return fullEvery !== undefined && fullEvery > 0 && (layer + 1) % fullEvery !== 0;
  };
  const isRecurrent = (layer: number): boolean =>
    ofLayer("attention.head_count_kv", layer, heads) === 0 || (interval > 0 && (layer + 1) % interval !== 0);
  /** Numbers of one token in one layer. */
  const width = (layer: number): number => {
    const length = (kind: "key" | "value"): number => {
      const full = number(`attention.${kind}_length`, headWidth);
      return isSliding(layer) ? number(`attention.${kind}_length_swa`, full) : full;
    };
    return ofLayer("attention.head_count_kv", layer, heads) * (length("key") + length("value"));
  };
  // The last layers of some architectures use the keys and values of earlier ones.
  const owning = Array.from(
    { length: Math.max(0, layers - number("attention.shared_kv_layers")) },
    (_, at) => at,
  );
  const attending = owning.filter((layer) => !isRecurrent(layer));
  const sum = (of: readonly number[]): number => of.reduce((total, layer) => total + width(layer), 0);
  const sliding = sum(attending.filter(isSliding));
  const full = sum(attending) - sliding;
  return {
    numbersAt: (window) => cells(window) * full + Math.min(cells(window), slidingCells) * sliding,
    heads,
    stateBytes: stateBytesOf(owning.filter(isRecurrent).length || layers, number),
  };
}

/** State of Mamba's and similar layers: convolution and memory, in f32. */
function stateBytesOf(layers: number, number: (key: string) => number): number {
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
