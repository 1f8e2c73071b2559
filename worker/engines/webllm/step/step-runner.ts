import { EngineError } from "../../../engine-api/engine-error.ts";
import type { LibraryFunctions } from "../tvm/functions.ts";
import type { Pipeline, Tensor, TensorList } from "../tvm/pipeline.ts";
import { RowTensors } from "../tvm/row-tensors.ts";
import { withScope } from "../tvm/scope.ts";
import { type Feed, forward, forwardAll } from "./forward.ts";
import { applyBias, applyMasks, applyPenalties, maskWithout, type RowChanges } from "./logit-rows.ts";

/** One reply's part of a step: what is fed, and how the next token is drawn. A throw of its functions fails the step. */
export interface StepRow extends Feed, RowChanges {
  temperature: number;
  topP: number;
  /** In (0, 1); one per token. */
  uniform: number;
  /** Computed while the GPU works: one bit per token, 0 for those that the grammar forbids. */
  mask?: () => Promise<Int32Array | undefined>;
  /** Tokens that may not be sampled yet. */
  barred?: readonly number[];
  /** Receives the logits that the grammar left, once the token is sampled. */
  observe?: (logits: Float32Array) => void;
  /** Changes these logits before the token is sampled: a second wait for the GPU. Also observes. */
  process?: (logits: Float32Array) => void;
}

/** What a step uses of the library. */
type Functions = Pick<LibraryFunctions, "batchDecode" | "batchPrefill" | "maxPositions">;

/** Logits that are copied to the CPU at once. */
const SCORED_BYTES = 16 * 2 ** 20;

/** Runs the steps of a model: prompts in chunks, then a token for each of a list of replies. One at a time. */
export class StepRunner {
  readonly #pipeline: Pipeline;
  readonly #functions: Functions;
  readonly #tensors = new Map<number, RowTensors>();

  constructor(pipeline: Pipeline, functions: Functions) {
    this.#pipeline = pipeline;
    this.#functions = functions;
  }

  /**
   * Feeds a chunk whose logits are not needed, and waits until the GPU has computed it.
   *
   * @throws {EngineError} `engine_failed`: the engine's state is undefined
   */
  async feed(feed: Feed): Promise<void> {
    const { tvm, device } = this.#pipeline;
    await asEngineFailure(async () => {
      withScope(tvm, () => void forward(this.#pipeline, this.#functions, [feed], this.#tensorsFor(1)));
      await device.sync();
    });
  }

  /** Tokens that {@link score} takes at once; 0 if the library cannot do it. */
  get scoredAtOnce(): number {
    const { batchPrefill, maxPositions } = this.#functions;
    const { fullVocabSize, prefillChunkSize } = this.#pipeline;
    const fitting = Math.max(1, Math.floor(SCORED_BYTES / (4 * fullVocabSize)));
    return batchPrefill ? Math.min(maxPositions, prefillChunkSize, fitting) : 0;
  }

  /**
   * Feeds a chunk and reads the logits after each of its tokens, one row after another.
   *
   * @throws {EngineError} `engine_failed`: the engine's state is undefined
   */
  score(feed: Feed): Promise<Float32Array> {
    return asEngineFailure(async () => {
      const { tvm, device, fullVocabSize } = this.#pipeline;
      const host = withScope(tvm, () => {
        const shape = [1, feed.ids.length, fullVocabSize];
        const copy = tvm.empty(shape, "float32", tvm.cpu());
        copy.copyFrom(forwardAll(this.#pipeline, this.#functions.batchPrefill!, feed));
        return tvm.detachFromCurrentScope(copy);
      });
      try {
        await device.sync();
        return host.toArray() as Float32Array;
      } finally {
        host.dispose();
      }
    });
  }

  /**
   * Feeds every row and draws its next token. Rows of one step have one token each, or there is one row.
   *
   * @throws {EngineError} `engine_failed`: the engine's state is undefined
   */
  sample(rows: readonly StepRow[]): Promise<number[]> {
    return asEngineFailure(async () => {
      const { tvm } = this.#pipeline;
      const tensors = this.#tensorsFor(rows.length);
      const logits = withScope(tvm, () => {
        const made = forward(this.#pipeline, this.#functions, rows, tensors);
        return tvm.detachFromCurrentScope(made);
      });
      try {
        // An upload starts the pass on the GPU.
        tensors.upload(rows);
        await this.#change(logits, rows, tensors);
        return await this.#draw(logits, rows, tensors);
      } finally {
        logits.dispose();
      }
    });
  }

  /** web-llm's order: grammar, logit processor, bias, penalties. */
  async #change(logits: Tensor, rows: readonly StepRow[], tensors: RowTensors): Promise<void> {
    const { tvm, device } = this.#pipeline;
    if (rows.some(({ mask }) => mask)) {
      const masks = await Promise.all(rows.map(({ mask }) => mask?.()));
      applyMasks(this.#pipeline, logits, masks);
    }
    if (rows.some(({ observe, process }) => observe || process))
      withScope(tvm, () => void tensors.host.copyFrom(logits));
    if (rows.some(({ process }) => process)) {
      await device.sync();
      const all = tensors.host.toArray() as Float32Array;
      for (const [row, { process }] of rows.entries()) process?.(this.#rowOf(all, row));
      logits.copyFrom(all);
    }
    const barred = rows.map(({ barred }) => barred && maskWithout(this.#pipeline, barred));
    applyMasks(this.#pipeline, logits, barred);
    applyBias(this.#pipeline, logits, rows);
    applyPenalties(this.#pipeline, logits, rows);
  }

  /** The one wait of a step without `process`. */
  async #draw(logits: Tensor, rows: readonly StepRow[], tensors: RowTensors): Promise<number[]> {
    const { tvm, device, fullVocabSize } = this.#pipeline;
    withScope(tvm, () => {
      const { temperatures, uniforms, indices, topPs, sampled } = tensors;
      const made = this.#pipeline.fsoftmaxWithTemperature(
        logits.view([rows.length, 1, fullVocabSize]),
        temperatures,
      ) as Tensor;
      const sorted = this.#pipeline.fargsortProbs(made.view([rows.length, fullVocabSize])) as TensorList;
      const [probabilities, ids] = [sorted.get(0), sorted.get(1)];
      sampled.copyFrom(
        this.#pipeline.fsampleWithTopP(probabilities, ids, uniforms, indices, topPs) as Tensor,
      );
    });
    await device.sync();
    if (rows.some(({ observe }) => observe)) {
      const all = tensors.host.toArray() as Float32Array;
      for (const [row, { observe }] of rows.entries()) observe?.(this.#rowOf(all, row));
    }
    const tokens = Array.from(tensors.sampled.toArray());
    if (tokens.some((id) => id < 0)) throw new Error("no token could be sampled");
    return tokens;
  }

  #rowOf(all: Float32Array, row: number): Float32Array {
    const { fullVocabSize } = this.#pipeline;
    return all.subarray(row * fullVocabSize, (row + 1) * fullVocabSize);
  }

  #tensorsFor(rows: number): RowTensors {
    const tensors = this.#tensors.get(rows) ?? new RowTensors(this.#pipeline, rows);
    this.#tensors.set(rows, tensors);
    return tensors;
  }
}

/** A failure in a step leaves the GPU's state undefined: no name of an error may make it look like a bad request. */
async function asEngineFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { message } = (cause ?? {}) as { message?: string };
    throw new EngineError("engine_failed", `web-llm: ${message || String(cause)}`, { cause });
  }
}
