import { TextDelta } from "../text-delta.ts";
import type { Tokenizer } from "../tvm/pipeline.ts";

/** Tokens decoded again with each token, at least: characters and spaces depend on their neighbours. */
const CONTEXT = 8;

/** The text of one reply, token by token. */
export class SlotText {
  readonly #tokenizer: Pick<Tokenizer, "decode">;
  readonly #stops: readonly string[];
  /** Text of all tokens before the window. */
  #settled = "";
  /** The last settled tokens, and those since. */
  #window: number[] = [];
  #contextTokens = 0;
  #contextLength = 0;
  #message = "";
  readonly #delta = new TextDelta();
  #stopped = false;

  /** @param stops texts that end the reply and are omitted */
  constructor(tokenizer: Pick<Tokenizer, "decode">, stops: readonly string[]) {
    this.#tokenizer = tokenizer;
    this.#stops = stops;
  }

  /** The whole text, without the stop text. */
  get message(): string {
    return this.#message;
  }

  /** True once a stop text has appeared. */
  get stopped(): boolean {
    return this.#stopped;
  }

  push(id: number): void {
    this.#window.push(id);
    const fresh = this.#decode(this.#window).slice(this.#contextLength);
    this.#message = this.#settled + fresh;
    this.#cutAtStop();
    const isWhole = replacementsAtEnd(fresh) === 0;
    if (isWhole && this.#window.length - this.#contextTokens >= CONTEXT) this.#settle();
  }

  /**
   * Text that was not returned yet; undefined while it may end in part of a character. web-llm's rule: the text is whole
   * if it ends in a multiple of four replacement characters.
   *
   * @param isWhole whether the model ended the text, so that nothing is part of a character
   */
  take(isWhole = false): string | undefined {
    if (!isWhole && replacementsAtEnd(this.#message) % 4 !== 0) return undefined;
    return this.#delta.next(this.#message);
  }

  #cutAtStop(): void {
    for (const stop of this.#stops) {
      const at = this.#message.indexOf(stop, Math.max(0, this.#settled.length - stop.length));
      if (at < 0) continue;
      this.#message = this.#message.slice(0, at);
      this.#stopped = true;
      return;
    }
  }

  #settle(): void {
    this.#settled = this.#message;
    this.#window = this.#window.slice(this.#contextTokens);
    this.#contextTokens = this.#window.length;
    this.#contextLength = this.#decode(this.#window).length;
  }

  #decode(ids: readonly number[]): string {
    return this.#tokenizer.decode(Int32Array.from(ids));
  }
}

function replacementsAtEnd(text: string): number {
  let at = text.length;
  while (at > 0 && text[at - 1] === "\uFFFD") at--;
  return text.length - at;
}
