/** Computes embeddings: texts → tokens → batches → vectors. Independent of HTTP. */

import { abortable, NEVER } from "../../../src/shared/abortable.ts";
import { loadPart } from "../../lazy/part.ts";
import type { EmbeddingEngine, EmbeddingModelInfo } from "../api/embedding-engine.ts";
import type { EmbeddingModel } from "../api/embedding-model.ts";
import { RETRIES_BESIDE_OTHERS, retryOnLoss } from "../api/engine-error.ts";
import type { Priority } from "../scheduling/model-queue.ts";
import type { EngineSupervisor } from "../scheduling/supervisor.ts";
import type { EmbeddingBatcher } from "./embedding-batcher.ts";

/** A text, or its tokens without special tokens. */
export type EmbeddingInput = string | readonly number[];

/** Inputs tokenized for the model, so that they can be counted before a run. */
export interface PreparedInputs {
  info: EmbeddingModelInfo;
  tokens: readonly (readonly number[])[];
  /** Number of the network's adapter for their use, if it has any. */
  task?: number | undefined;
}

interface PrepareOptions {
  inputs: readonly EmbeddingInput[];
  /** Selects the prefix; one of {@link prefixesBy}. */
  use: string;
  /** Validates the inputs before tokenization; may throw. */
  check: (info: EmbeddingModelInfo) => void;
}

export class EmbeddingService {
  readonly #engines: EngineSupervisor<EmbeddingEngine, EmbeddingModel>;
  readonly #maxQueued: number;
  readonly #batchers = new Map<string, EmbeddingBatcher>();

  constructor(engines: EngineSupervisor<EmbeddingEngine, EmbeddingModel>, maxQueued: number) {
    this.#engines = engines;
    this.#maxQueued = maxQueued;
  }

  /** Loads the model if necessary. @throws {EngineError} */
  async load(model: EmbeddingModel, signal = NEVER): Promise<void> {
    await this.#engines.use(model, signal, async () => {});
  }

  /** Cancels a load in progress. */
  cancel(modelId: string): void {
    this.#engines.cancel(modelId);
  }

  /** Frees the model's memory at once; what ran or waits reloads it. */
  unload(modelId: string): Promise<void> {
    return this.#engines.unload(modelId, { force: true });
  }

  /** As {@link EngineSupervisor.retire}. */
  async retire(modelId: string): Promise<void> {
    await this.#batchers.get(modelId)?.whenIdle();
    this.#batchers.delete(modelId);
    await this.#engines.retire(modelId);
  }

  /** The model's info, while it is loaded. */
  info(modelId: string): EmbeddingModelInfo | undefined {
    return this.#engines.loaded(modelId)?.info;
  }

  /**
   * Tokenizes every input, with prefix and special tokens and without truncation. Retries if the engine is lost.
   *
   * @throws {EngineError}
   * @throws the signal's reason if it aborts first
   */
  async prepare(
    model: EmbeddingModel,
    { inputs, use, check }: PrepareOptions,
    signal: AbortSignal,
  ): Promise<PreparedInputs> {
    const prepare = () =>
      this.#engines.use(model, signal, async (engine) => {
        check(engine.info);
        const { info } = engine;
        const tokens = await abortable(tokensOf(engine, inputs, use), signal);
        return { info, tokens, task: info.tasks?.[use] };
      });
    return retryOnLoss(prepare, { retries: RETRIES_BESIDE_OTHERS });
  }

  /**
   * Returns one vector per token list, in order.
   *
   * @throws {EngineError}
   * @throws the signal's reason if it aborts first
   */
  async embed(
    model: EmbeddingModel,
    { tokens, task }: Pick<PreparedInputs, "tokens" | "task">,
    signal: AbortSignal,
    priority: Priority = "interactive",
  ): Promise<Float32Array[]> {
    const part = await loadPart(() => import("./embedding-batcher.ts"), signal);
    let batcher = this.#batchers.get(model.id);
    if (!batcher) {
      batcher = new part.EmbeddingBatcher(() => this.#engines.engine(model), this.#maxQueued);
      this.#batchers.set(model.id, batcher);
    }
    const hold = await this.#engines.hold(model, signal);
    try {
      return await batcher.embed(tokens, signal, priority, task);
    } finally {
      hold.release();
    }
  }
}

/** Prefixes by use. */
export function prefixesBy({ prefixes, prompts }: EmbeddingModelInfo): ReadonlyMap<string, string> {
  return new Map([...Object.entries(prefixes), ...Object.entries(prompts ?? {})]);
}

async function tokensOf(
  engine: EmbeddingEngine,
  inputs: readonly EmbeddingInput[],
  use: string,
): Promise<readonly (readonly number[])[]> {
  const prefix = prefixesBy(engine.info).get(use) ?? "";
  const texts = inputs.filter((input) => typeof input === "string").map((text) => prefix + text);
  const ofTexts = (await engine.tokenize(texts, true)).values();
  if (texts.length === inputs.length) return [...ofTexts];
  const frame = await framing(engine);
  return inputs.map((input) => (typeof input === "string" ? ofTexts.next().value! : frame(input)));
}

/** Returns a function that adds the model's special tokens around given tokens. */
async function framing(engine: EmbeddingEngine): Promise<(tokens: readonly number[]) => readonly number[]> {
  const [[bare], [framed]] = await Promise.all([engine.tokenize(["a"], false), engine.tokenize(["a"], true)]);
  const start = framed!.indexOf(bare![0]!);
  const before = framed!.slice(0, start);
  const after = framed!.slice(start + bare!.length);
  return (tokens) => [...before, ...tokens, ...after];
}
