/** The log probabilities of a request's prompts: a part, as few requests ask for them. */

import { abortable } from "../../../src/shared/abortable.ts";
import type { PromptToken } from "../../engine-api/chat-engine.ts";
import type { PromptScoresRequest } from "../checks/require-model-support.ts";

interface Options extends PromptScoresRequest {
  /** Replies to each prompt. */
  choices: number;
}

/** Collects the scored tokens of each prompt, which the first reply to it computes. */
export class PromptScores implements PromptScoresRequest {
  readonly top: number;
  readonly param: string;
  readonly #options: Options;
  readonly #tokens: PromptToken[][] = [];
  readonly #waiting = new Set<() => void>();

  constructor(options: Options) {
    this.#options = options;
    this.top = options.top;
    this.param = options.param;
  }

  /** The tokens of a choice's prompt; known before the choice's first event. */
  of(choice: number): readonly PromptToken[] | undefined {
    return this.#tokens[this.#promptOf(choice)];
  }

  /** Whether the engine has to compute them for this choice. */
  isNeededFor(choice: number): boolean {
    return this.#isFirst(choice) || !this.of(choice);
  }

  take(choice: number, tokens: PromptToken[]): void {
    this.#tokens[this.#promptOf(choice)] = tokens;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /**
   * Waits until the first reply to the same prompt has computed them, unless this is the first one.
   *
   * @throws the signal's reason if it aborts first
   */
  async whenKnown(choice: number, signal: AbortSignal): Promise<void> {
    while (!this.#isFirst(choice) && !this.of(choice)) {
      const next = new Promise<void>((resolve) => this.#waiting.add(resolve));
      await abortable(next, signal);
    }
  }

  #isFirst(choice: number): boolean {
    return choice % this.#options.choices === 0;
  }

  #promptOf(choice: number): number {
    return Math.floor(choice / this.#options.choices);
  }
}
