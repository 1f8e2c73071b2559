/** A chat engine in a dedicated worker, so that `terminate()` recovers from any failure. */

import { transfer } from "comlink";
import type { CachePages } from "../../../src/protocol/events.ts";
import type { ChatEngine, ChatModelInfo, EngineStep, GenerateRequest } from "../../engine-api/chat-engine.ts";
import { EngineError, type EngineErrorCode, endsEngine } from "../../engine-api/engine-error.ts";
import type { EngineEndpoint, GenerateControl, GenerateMessage } from "../../engine-api/engine-wire.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import { EngineWorker, type EngineWorkerOptions, toEngineError } from "../scheduling/engine-worker.ts";
import { EventQueue } from "../scheduling/event-queue.ts";
import { loadInWorker } from "../scheduling/load-in-worker.ts";
import { ModelQueue } from "../scheduling/model-queue.ts";
import { tokenizeInWorker } from "../scheduling/tokenize-in-worker.ts";
import { ReplyCounts } from "./reply-counts.ts";
import { passTimeoutMs, StepWatch } from "./step-watch.ts";

export class RemoteChatEngine implements ChatEngine {
  readonly info: ChatModelInfo;
  readonly counts = new ReplyCounts();
  readonly #worker: EngineWorker<EngineEndpoint<unknown>>;
  readonly #turns = new ModelQueue(Number.POSITIVE_INFINITY);
  #disposed = false;
  readonly #running = new Set<EventQueue<EngineStep>>();
  readonly #watch: StepWatch;
  readonly #tokenizeTimeoutMs: number;

  private constructor(worker: EngineWorker<EngineEndpoint<unknown>>, info: ChatModelInfo, loadMs: number) {
    this.#worker = worker;
    this.info = info;
    this.#turns.adapt(info);
    const { endpoint } = worker;
    this.#tokenizeTimeoutMs = passTimeoutMs(info, loadMs);
    this.#watch = new StepWatch({
      loadMs,
      info,
      passes: () => endpoint.passes(),
      onStuck: (isAborted) => {
        // Not counted as a loss if it may just be slow.
        if (isAborted) this.dispose("it did not respond to an abort");
        else worker.end("a step of the model did not end");
      },
    });
    worker.lost.catch((error) => {
      for (const steps of this.#running) steps.end(error);
    });
  }

  /**
   * Starts a worker and loads a model into it.
   *
   * @param build of the model, for the worker's engine
   * @param notes on the choice of the engine, added to those of the model
   * @throws {EngineError}
   */
  static async start(
    options: EngineWorkerOptions,
    build: unknown,
    onProgress: (progress: LoadProgress) => void,
    notes: readonly string[] = [],
  ): Promise<RemoteChatEngine> {
    const worker = await EngineWorker.start<EngineEndpoint<unknown>>(options);
    let startedAtMs = performance.now();
    const load = (port: MessagePort) => worker.endpoint.load(build, port);
    const info = await loadInWorker(worker, load, (progress) => {
      // A download says nothing about the device.
      if (progress.phase === "download") startedAtMs = performance.now();
      onProgress(progress);
    });
    const all = [...notes, ...(info.notes ?? [])];
    const loadMs = performance.now() - startedAtMs;
    return new RemoteChatEngine(worker, all.length > 0 ? { ...info, notes: all } : info, loadMs);
  }

  countTokens(prompt: string | readonly number[], scope?: string): Promise<number> {
    return tokenizeInWorker(this.#worker, this.#tokenizeTimeoutMs, (endpoint) =>
      endpoint.countTokens(prompt, scope),
    );
  }

  decode(tokens: readonly number[]): Promise<string> {
    return tokenizeInWorker(this.#worker, this.#tokenizeTimeoutMs, (endpoint) => endpoint.decode(tokens));
  }

  retainedTokens(): Promise<number> {
    return this.#worker.call(this.#worker.endpoint.retainedTokens());
  }

  pages(): Promise<CachePages | null> {
    return this.#worker.call(this.#worker.endpoint.pages());
  }

  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    // Requests that waited for another engine may be more than this one runs.
    const priority = request.rank === "background" ? "background" : "interactive";
    const turn = await this.#turns.enter(signal, { priority });
    try {
      yield* this.#generate(request, signal);
    } finally {
      turn.release();
    }
  }

  async *#generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    if (this.#worker.ended) {
      throw new EngineError("engine_lost", "The engine has ended. Send the request again.");
    }
    const { port1: local, port2: remote } = new MessageChannel();
    const steps = new EventQueue<EngineStep>();
    const abort = (): void => local.postMessage({ type: "abort" } satisfies GenerateControl);
    // Until the engine has ended it: its reader may take longer.
    const leave = this.#watch.enter(signal);
    const receive = this.#receiver(steps, leave);
    local.onmessage = ({ data }: MessageEvent<GenerateMessage>) => receive(data);
    this.#running.add(steps);
    // Rejects for a request that cannot be posted, one with too many large images for instance.
    this.#worker.endpoint.generate(request, transfer(remote, [remote])).catch((cause: unknown) => {
      leave();
      steps.end(new EngineError("reply_failed", "The request could not be sent to its engine.", { cause }));
    });
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    try {
      yield* steps;
    } finally {
      if (!steps.ended) {
        abort();
        await drained(steps);
      }
      leave();
      signal.removeEventListener("abort", abort);
      this.#running.delete(steps);
      local.close();
    }
  }

  /** @param leave called once the engine has ended the reply */
  #receiver(steps: EventQueue<EngineStep>, leave: () => void): (message: GenerateMessage) => void {
    const count = this.counts.reply();
    return (message) => {
      if (message.type === "error") {
        leave();
        const error = toEngineError(message.error);
        steps.end(error);
        // The worker closes itself, which is detected later: a retried request must get a new one.
        if (endsEngine(error)) this.#worker.end(error.message, lossOf(error));
        return;
      }
      count(message.usage);
      steps.push(message);
      if (message.type !== "finish") return;
      leave();
      steps.end();
    };
  }

  /** Whether its owner ended it, rather than a failure. */
  get isDisposed(): boolean {
    return this.#disposed;
  }

  dispose(reason: string): void {
    this.#disposed ||= !this.#worker.ended;
    this.#worker.end(reason);
  }
}

/** What the end of the engine is to its other replies, which may be repeated. */
function lossOf({ code }: EngineError): EngineErrorCode {
  return code === "out_of_memory" ? code : "engine_lost";
}

/** Resolves when the engine has finished the aborted reply. */
async function drained(steps: EventQueue<EngineStep>): Promise<void> {
  try {
    for await (const _ of steps);
  } catch {
    // The engine is free after a failure, too.
  }
}
