/** An embedding engine with one token per letter and vectors that a test can compute. */

import type { EmbeddingEngine, EmbeddingModelInfo } from "../../worker/engine-api/embedding-engine.ts";
import { EngineError } from "../../worker/engine-api/engine-error.ts";

const START = 1;
const END = 2;
const FIRST_LETTER = 3;

/** `abc` → start, a, b, c, end. */
export function fakeTokens(text: string, special = true): number[] {
  const letters = Array.from(text, (letter) => FIRST_LETTER + (letter.codePointAt(0)! % 90));
  return special ? [START, ...letters, END] : letters;
}

/** A unit vector that depends only on the tokens. */
export function fakeVector(tokens: readonly number[]): Float32Array {
  const vector = new Float32Array(8);
  for (const [at, token] of tokens.entries()) vector[(token + at) % 8]! += token;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

export class FakeEmbeddingEngine implements EmbeddingEngine {
  readonly info: EmbeddingModelInfo;
  /** The batches that were run, as lists of tokens. */
  readonly batches: (readonly number[])[][] = [];
  disposedFor: string | undefined;
  /** A run fails, like a broken session, if this is true for any of its inputs. */
  failsOn: (tokens: readonly number[]) => boolean = () => false;
  /** The vectors of a run have a number that is not finite for these inputs. */
  overflowsOn: (tokens: readonly number[], batch: readonly (readonly number[])[]) => boolean = () => false;
  #gate: Promise<void> = Promise.resolve();
  #open: () => void = () => {};

  constructor(info: Partial<EmbeddingModelInfo> = {}) {
    this.info = {
      dimensions: 8,
      maxTokens: 20,
      vocabularySize: 100,
      device: "wasm",
      dtype: "fp32",
      threads: 1,
      pooling: "mean",
      normalized: true,
      prefixes: { query: "", document: "" },
      runsAlone: false,
      ...info,
    };
  }

  /** Blocks runs until {@link open}. */
  close(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }

  async tokenize(texts: readonly string[], special: boolean): Promise<number[][]> {
    return texts.map((text) => fakeTokens(text, special));
  }

  async embed(inputs: readonly (readonly number[])[]): Promise<Float32Array[]> {
    this.batches.push([...inputs]);
    await this.#gate;
    if (inputs.some((tokens) => this.failsOn(tokens))) {
      this.dispose("a run failed");
      throw new EngineError("engine_failed", "transformers.js: invalid input");
    }
    return inputs.map((tokens) =>
      this.overflowsOn(tokens, inputs) ? fakeVector(tokens).fill(Number.NaN, 2, 3) : fakeVector(tokens),
    );
  }

  dispose(reason: string): void {
    this.disposedFor ??= reason;
  }
}
