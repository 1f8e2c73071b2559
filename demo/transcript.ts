/** The conversation on the screen. */

import type { ReplyStats } from "./chat.ts";
import { create } from "./elements.ts";
import { showFailure } from "./notices.ts";

/** A reply while it is written. */
export interface ReplyView {
  append(piece: string): void;
  finish(stats: ReplyStats): void;
  fail(reason: string, retry: () => void): void;
}

export class Transcript {
  readonly #log: HTMLElement;
  readonly #empty: HTMLElement;

  constructor(log: HTMLElement, empty: HTMLElement) {
    this.#log = log;
    this.#empty = empty;
  }

  /** Shows what the user said. */
  addUser(text: string): void {
    this.#empty.hidden = true;
    const message = create("article", "message user");
    message.append(create("h3", "hidden", "You"), create("p", "text", text));
    this.#log.append(message);
    this.#follow(true);
  }

  /** Begins a reply. */
  addReply(): ReplyView {
    const message = create("article", "message assistant waiting");
    const text = create("p", "text");
    message.append(create("h3", "hidden", "infetch-tiny"), text);
    this.#log.append(message);
    this.#follow(true);
    return {
      append: (piece) => {
        const follows = this.#isAtEnd();
        message.classList.remove("waiting");
        text.append(piece);
        this.#follow(follows);
      },
      finish: (stats) => {
        message.classList.remove("waiting");
        if (text.textContent === "")
          text.textContent = stats.stopped ? "Stopped before the first word." : "…";
        message.append(create("p", "stats", describe(stats)));
        this.#follow(true);
      },
      fail: (reason, retry) => {
        message.classList.remove("waiting");
        message.classList.add("failed");
        showFailure(message, reason, () => {
          message.remove();
          retry();
        });
        this.#follow(true);
      },
    };
  }

  #isAtEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.#log;
    return scrollHeight - scrollTop - clientHeight < 48;
  }

  /** Whoever scrolled up to read is left alone. */
  #follow(follows: boolean): void {
    if (follows) this.#log.scrollTop = this.#log.scrollHeight;
  }
}

function describe(stats: ReplyStats): string {
  const parts = [`${stats.completionTokens} ${stats.completionTokens === 1 ? "token" : "tokens"}`];
  if (stats.tokensPerSecond > 0) parts.push(`${stats.tokensPerSecond.toFixed(1)} tokens/s`);
  if (stats.completionTokens > 0) parts.push(`first after ${(stats.firstTokenAfterMs / 1000).toFixed(2)} s`);
  if (stats.promptTokens > 0) parts.push(`${stats.promptTokens} in the prompt`);
  if (stats.stopped) parts.push("stopped");
  return parts.join(" · ");
}
