import { firstMarker } from "../../../reply/find-marker.ts";
import { droppedSpace } from "../text/dropped-space.ts";
import { replacementsAtEnd, TextDelta } from "../text/text-delta.ts";
import type { Tokenizer } from "../tvm/pipeline.ts";

/** Tokens decoded again with each token, at least: characters and spaces depend on their neighbours. */
const CONTEXT_TOKENS = 8;

/** The text of one reply, token by token. What a token costs does not grow with the reply. */
export class SlotText {
  readonly #tokenizer: Pick<Tokenizer, "decode">;
  readonly #stops: readonly string[];
  /** Length of the longest stop text. */
  readonly #longestStop: number;
  readonly #prompt: readonly number[];
  /** The beginning of the text, which is never read: to search or cut it would copy all of it. */
  #done = "";
  /** Text between it and the window: not returned yet, or possibly part of a stop text. */
  #settled = "";
  /** The last settled tokens, and those since. */
  #window: number[] = [];
  #contextTokens = 0;
  #context = "";
  /** All after {@link #done}, without the stop text. */
  #text = "";
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
    this.#longestStop = Math.max(0, ...stops.map(({ length }) => length));
    this.#prompt = prompt;
    this.#delta = new TextDelta(stops);
  }

  /** The whole text, without the stop text. */
  get message(): string {
    return this.#done + this.#text;
  }

  /** True once a stop text has appeared. */
  get stopped(): boolean {
    return this.#stopped;
  }

  push(id: number): void {
    if (this.#window.length === 0) this.#settled = droppedSpace(this.#tokenizer, this.#prompt, [id]);
    this.#window.push(id);
    const fresh = this.#fresh();
    this.#text = this.#settled + fresh;
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
    return this.#delta.next(this.#text, end);
  }

  #cutAtStop(): void {
    const from = Math.max(0, this.#settled.length - this.#longestStop);
    const match = firstMarker(this.#text.slice(from), this.#stops);
    if (!match) return;
    this.#text = this.#text.slice(0, from + match.start);
    this.#stopped = true;
  }

  #settle(): void {
    // One character more: a match must not begin within a surrogate pair.
    const done = Math.min(this.#delta.sent, this.#text.length - this.#longestStop) - 1;
    if (done > 0) {
      this.#done += this.#text.slice(0, done);
      this.#text = this.#text.slice(done);
      this.#delta.drop(done);
    }
    this.#settled = this.#text;
    this.#window = this.#window.slice(this.#contextTokens);
    this.#contextTokens = this.#window.length;
    this.#context = this.#decode(this.#window);
  }

  /** Text of the tokens since the settled ones. */
  #fresh(): string {
    const text = this.#decode(this.#window);
    if (text.startsWith(this.#context)) return text.slice(this.#context.length);
    // Byte tokens that are no whole text change the characters of those before.
    return this.#decode(this.#window.slice(this.#contextTokens));
  }

  #decode(ids: readonly number[]): string {
    return this.#tokenizer.decode(Int32Array.from(ids));
  }
}
