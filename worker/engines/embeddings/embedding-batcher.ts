/** Batches the inputs of all requests for one embedding model and runs one batch at a time. */

import type { EmbeddingEngine } from "../../engine-api/embedding-engine.ts";
import { EngineError, isLoss, lostRepeatedly } from "../../engine-api/engine-error.ts";
import type { Priority } from "../scheduling/model-queue.ts";
import {
  addTo,
  type InputSource,
  LENGTH_CLASSES,
  type PendingInput,
  sourceOf,
  takeBatch,
} from "./embedding-batch.ts";

/** Small enough to bound the wait of a new request, large enough to keep a device busy. */
const MAX_TOKENS_PER_RUN = 4096;

interface Input extends PendingInput {
  index: number;
  request: PendingRequest;
}

interface PendingRequest extends InputSource<Input> {
  vectors: Float32Array[];
  missing: number;
  priority: Priority;
  settle: () => void;
  fail: (error: unknown) => void;
}

export class EmbeddingBatcher {
  readonly #engine: () => Promise<EmbeddingEngine>;
  readonly #maxQueued: number;
  readonly #requests: PendingRequest[] = [];
  #running = false;
  #idle: Promise<void> = Promise.resolve();

  /**
   * @param engine returns the model's engine, reloading it if it was lost
   * @param maxQueued maximum number of waiting interactive requests
   */
  constructor(engine: () => Promise<EmbeddingEngine>, maxQueued: number) {
    this.#engine = engine;
    this.#maxQueued = maxQueued;
  }

  /**
   * Returns one vector per input, in order. An idle engine starts at once; inputs that arrive during a run are batched
   * into the next, background work last. An input whose run fails is retried once, alone, on a new engine.
   *
   * @param task number of the network's adapter, if it has any
   * @throws {EngineError} `queue_full`, or the engine's failure
   * @throws the signal's reason if it aborts first
   */
  embed(
    inputs: readonly (readonly number[])[],
    signal: AbortSignal,
    priority: Priority = "interactive",
    task?: number,
  ): Promise<Float32Array[]> {
    signal.throwIfAborted();
    if (priority === "interactive" && this.#of(priority).length > this.#maxQueued) {
      const message = `The model's queue of ${this.#maxQueued} is full. Try again in a moment.`;
      return Promise.reject(new EngineError("queue_full", message));
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(request);
        signal.removeEventListener("abort", onAbort);
      };
      const onAbort = (): void => request.fail(signal.reason);
      const request: PendingRequest = {
        waiting: new Map(),
        vectors: new Array<Float32Array>(inputs.length),
        missing: inputs.length,
        priority,
        settle: () => {
          leave();
          resolve(request.vectors);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      const pending = inputs.map((tokens, index) => ({ tokens, task, index, request, failedOnce: false }));
      request.waiting = sourceOf(pending).waiting;
      this.#requests.push(request);
      signal.addEventListener("abort", onAbort, { once: true });
      if (!this.#running) this.#idle = this.#run();
    });
  }

  /** Resolves once no request runs or waits. */
  whenIdle(): Promise<void> {
    return this.#idle;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#requests.length > 0) {
      try {
        const engine = await this.#engine();
        await this.#runBatch(engine);
      } catch (error) {
        // No engine is available: fail all waiting requests.
        for (const request of [...this.#requests]) request.fail(error);
      }
    }
    this.#running = false;
  }

  async #runBatch(engine: EmbeddingEngine): Promise<void> {
    const inOrder = [...this.#of("interactive"), ...this.#of("background")];
    const sources = inOrder.filter(({ waiting }) => waiting.size > 0);
    const { device, runsAlone } = engine.info;
    const classOf = LENGTH_CLASSES[device];
    const batch = takeBatch(sources, { maxTokens: MAX_TOKENS_PER_RUN, alone: runsAlone, classOf });
    this.#rotate();
    try {
      const inputs = batch.map(({ tokens }) => tokens);
      const vectors = await engine.embed(inputs, batch[0]?.task);
      for (const [at, input] of batch.entries()) {
        const vector = vectors[at]!;
        if (vector.every(Number.isFinite)) deliver(input, vector);
        else if (batch.length === 1) input.request.fail(notFinite(input));
        else retry(input, notFinite(input));
      }
    } catch (error) {
      for (const input of batch) retry(input, error);
    }
  }

  /** Starts the next batch with another request, so that a long request cannot starve the others. */
  #rotate(): void {
    const first = this.#requests.shift();
    if (first) this.#requests.push(first);
  }

  #of(priority: Priority): PendingRequest[] {
    return this.#requests.filter((request) => request.priority === priority);
  }

  #remove(request: PendingRequest): void {
    const at = this.#requests.indexOf(request);
    if (at >= 0) this.#requests.splice(at, 1);
    request.waiting.clear();
  }
}

function deliver({ request, index }: Input, vector: Float32Array): void {
  request.vectors[index] = vector;
  request.missing--;
  if (request.missing === 0) request.settle();
}

/** Overflows of reduced precision depend on the text: the self-test cannot find all. JSON would have null for them. */
function notFinite({ index }: Input): EngineError {
  const message = `The model's vector of input ${index} contains numbers that are not finite.`;
  return new EngineError("engine_failed", message);
}

function retry(input: Input, error: unknown): void {
  if (input.failedOnce) {
    input.request.fail(isLoss(error) ? lostRepeatedly(error) : error);
  } else {
    input.failedOnce = true;
    addTo(input.request.waiting, input);
  }
}
