/** Notices an engine in which nothing moves any more: one watch for all its replies, however many come, go or are aborted. */

import type { ChatModelInfo } from "../../engine-api/chat-engine.ts";

const TICK_MS = 1_000;
/** If all replies were aborted, replacing the engine early loses little. */
const ABORTED_TIMEOUT_MS = 5_000;

interface StepWatchOptions {
  /** How long the engine took to load, without its download. */
  loadMs: number;
  info: ChatModelInfo;
  /** Asks the engine for a number that changes with every pass; may never answer. */
  passes: () => Promise<number>;
  /** @param isAborted whether every reply was aborted */
  onStuck: (isAborted: boolean) => void;
}

export class StepWatch {
  readonly #options: StepWatchOptions;
  readonly #replies = new Set<{ signal: AbortSignal }>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #passes: number | undefined;
  #isAsked = false;
  /** Ticks without a pass. Counted, not read from a clock: a suspended device makes none. */
  #silent = 0;
  /** Those of them with aborted replies only. */
  #unwanted = 0;

  constructor(options: StepWatchOptions) {
    this.#options = options;
  }

  /** Watches while a reply runs. @returns ends that */
  enter(signal: AbortSignal): () => void {
    const reply = { signal };
    this.#replies.add(reply);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    return () => {
      this.#replies.delete(reply);
      if (this.#replies.size === 0) this.#rest();
    };
  }

  #tick(): void {
    const { loadMs, info, onStuck } = this.#options;
    // Other engines have a policy of their own (`generateWithAbortPolicy`).
    const isAborted =
      info.abortsBetweenChunks === true && [...this.#replies].every(({ signal }) => signal.aborted);
    this.#silent++;
    this.#unwanted = isAborted ? this.#unwanted + 1 : 0;
    if (!this.#isAsked) void this.#ask();
    const isStuck = this.#silent * TICK_MS > passTimeoutMs(info, loadMs);
    if (!isStuck && this.#unwanted * TICK_MS <= Math.max(ABORTED_TIMEOUT_MS, 2 * loadMs)) return;
    this.#rest();
    onStuck(isAborted);
  }

  async #ask(): Promise<void> {
    this.#isAsked = true;
    const passes = await this.#options.passes();
    this.#isAsked = false;
    if (passes === this.#passes) return;
    this.#passes = passes;
    this.#moved();
  }

  #moved(): void {
    this.#silent = 0;
    this.#unwanted = 0;
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#moved();
  }
}

/** Upper bound for one pass of a healthy engine, a token or a part of the prompt; more where its load took long. */
export function passTimeoutMs(
  { abortsBetweenChunks, engine, vision }: ChatModelInfo,
  loadMs: number,
): number {
  // web-llm's chat API reads a prompt in one pass, and llama.cpp an image.
  const hasLongPasses = vision || (engine === "webllm" && !abortsBetweenChunks);
  return Math.max(hasLongPasses ? 600_000 : 120_000, 4 * loadMs);
}
