/** A chat engine in a worker of its own, so that whatever breaks in it ends with `terminate()`. */

import { type Remote, transfer, wrap } from "comlink";
import { watchLock } from "../../src/protocol/liveness.ts";
import { EngineError } from "./engine-error.ts";
import type {
  EngineConnectMessage,
  EngineEndpoint,
  EngineResult,
  GenerateControl,
  GenerateMessage,
} from "./engine-wire.ts";
import { EventQueue } from "./event-queue.ts";
import type {
  ChatEngine,
  ChatModelFacts,
  EngineStep,
  GenerateRequest,
  LoadProgress,
  ModelFiles,
} from "./types.ts";

interface StartOptions {
  workerURL: string;
  name: string;
  serverLock: string;
  /** Once, when the worker ended, whoever ended it. */
  onEnd: (reason: string) => void;
}

export class RemoteChatEngine implements ChatEngine {
  facts!: ChatModelFacts;
  readonly #worker: Worker;
  readonly #endpoint: Remote<EngineEndpoint>;
  readonly #end = new AbortController();
  readonly #lost: Promise<never>;
  readonly #running = new Set<EventQueue<EngineStep>>();
  #reject!: (error: EngineError) => void;

  private constructor(worker: Worker, port: MessagePort) {
    this.#worker = worker;
    this.#endpoint = wrap<EngineEndpoint>(port);
    this.#lost = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.#lost.catch(() => {});
  }

  /**
   * Starts a worker and loads a model into it.
   *
   * @throws {EngineError}
   */
  static async start(
    options: StartOptions,
    model: ModelFiles,
    onProgress: (progress: LoadProgress) => void,
  ): Promise<RemoteChatEngine> {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(options.workerURL, { type: "module", name: options.name });
    const engine = new RemoteChatEngine(worker, port1);
    engine.#end.signal.addEventListener("abort", () => options.onEnd(String(engine.#end.signal.reason)));
    worker.onerror = (event) => {
      event.preventDefault();
      engine.dispose(event.message || "its script did not load");
    };
    const engineLock = `${options.serverLock}:engine:${crypto.randomUUID()}`;
    const connect: EngineConnectMessage = {
      type: "connect",
      port: port2,
      engineLock,
      serverLock: options.serverLock,
    };
    worker.postMessage(connect, [port2]);
    await engine.#orLost(engine.#endpoint.ready());
    watchLock(engineLock, () => engine.dispose("its worker ended"), engine.#end.signal);
    try {
      engine.facts = await engine.#load(model, onProgress);
    } catch (error) {
      engine.dispose("it could not load its model");
      throw error;
    }
    return engine;
  }

  async countTokens(prompt: string | readonly number[]): Promise<number> {
    return unwrap(await this.#orLost(this.#endpoint.countTokens(prompt)));
  }

  async decode(tokens: readonly number[]): Promise<string> {
    return unwrap(await this.#orLost(this.#endpoint.decode(tokens)));
  }

  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    this.#throwIfEnded();
    const { port1: local, port2: remote } = new MessageChannel();
    const steps = new EventQueue<EngineStep>();
    const abort = (): void => local.postMessage({ type: "abort" } satisfies GenerateControl);
    local.onmessage = ({ data }: MessageEvent<GenerateMessage>) => {
      if (data.type === "error") return steps.end(new EngineError(data.error.code, data.error.message));
      steps.push(data);
      if (data.type === "finish") steps.end();
    };
    this.#running.add(steps);
    void this.#endpoint.generate(request, transfer(remote, [remote]));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    try {
      yield* steps;
    } finally {
      if (!steps.ended) {
        abort();
        await drained(steps);
      }
      signal.removeEventListener("abort", abort);
      this.#running.delete(steps);
      local.close();
    }
  }

  dispose(reason: string): void {
    if (this.#end.signal.aborted) return;
    this.#worker.terminate();
    this.#end.abort(reason);
    const error = new EngineError("engine_lost", `The engine ended: ${reason}. Send the request again.`);
    this.#reject(error);
    for (const steps of this.#running) steps.end(error);
  }

  async #load(model: ModelFiles, onProgress: (progress: LoadProgress) => void): Promise<ChatModelFacts> {
    const { port1: local, port2: remote } = new MessageChannel();
    local.onmessage = ({ data }: MessageEvent<LoadProgress>) => onProgress(data);
    try {
      return unwrap(await this.#orLost(this.#endpoint.load(model, transfer(remote, [remote]))));
    } finally {
      local.close();
    }
  }

  #throwIfEnded(): void {
    if (this.#end.signal.aborted)
      throw new EngineError("engine_lost", "The engine has ended. Send the request again.");
  }

  /** Comlink never settles the call of a dead worker: race it against the death. */
  #orLost<T>(call: T): Promise<Awaited<T>> {
    return Promise.race([Promise.resolve(call), this.#lost]);
  }
}

/** Resolves when the engine has finished what it was told to abort. */
async function drained(steps: EventQueue<EngineStep>): Promise<void> {
  try {
    for await (const _ of steps);
  } catch {
    // It ended by failing: free all the same.
  }
}

function unwrap<T>(result: EngineResult<T>): T {
  if (result.ok) return result.value;
  throw new EngineError(result.error.code, result.error.message);
}
