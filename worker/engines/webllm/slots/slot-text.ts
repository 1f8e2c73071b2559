import { firstMarker } from "../../../reply/find-marker.ts";
import { droppedSpace } from "../dropped-space.ts";
import { replacementsAtEnd, TextDelta } from "../text-delta.ts";
import type { Tokenizer } from "../tvm/pipeline.ts";

/** Tokens decoded again with each token, at least: characters and spaces depend on their neighbours. */
const CONTEXT_TOKENS = 8;

/** The text of one reply, token by token. */
export class SlotText {
  readonly #tokenizer: Pick<Tokenizer, "decode">;
  readonly #stops: readonly string[];
  readonly #prompt: readonly number[];
  /** Text of all tokens before the window. */
  #settled = "";
  /** The last settled tokens, and those since. */
  #window: number[] = [];
  #contextTokens = 0;
  #contextLength = 0;
  #message = "";
  readonly #delta: TextDelta;
  #stopped = false;

  /**
   * @param stops texts that end the reply and are omitted
   * @param prompt the tokens whose text the reply continues; empty if it begins a text
   */
  constructor(
    tokenizer: Pick<Tokenizer, "decode">,
    stops: readonly string[],
    prompt: readonly number[] = [],
  ) {
    this.#tokenizer = tokenizer;
    this.#stops = stops;
    this.#prompt = prompt;
    this.#delta = new TextDelta(stops);
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
    if (this.#window.length === 0) this.#settled = droppedSpace(this.#tokenizer, this.#prompt, [id]);
    this.#window.push(id);
    const fresh = this.#decode(this.#window).slice(this.#contextLength);
    this.#message = this.#settled + fresh;
    this.#cutAtStop();
    const isWhole = replacementsAtEnd(fresh) === 0;
    if (isWhole && this.#window.length - this.#contextTokens >= CONTEXT_TOKENS) this.#settle();
  }

  /**
   * Text that was not returned yet, without what may be part of a character or of a stop text.
   *
   * @param end why it is the last, if it is
   */
  take(end?: "stop" | "length"): string {
    return this.#delta.next(this.#message, end);
  }

  #cutAtStop(): void {
    const longest = Math.max(0, ...this.#stops.map(({ length }) => length));
    const from = Math.max(0, this.#settled.length - longest);
    const match = firstMarker(this.#message.slice(from), this.#stops);
    if (!match) return;
    this.#message = this.#message.slice(0, from + match.start);
    this.#stopped = true;
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
