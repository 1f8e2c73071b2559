import type { BlockOptions } from "./call-block.ts";
import { MAX_LEVELS } from "./call-format.ts";
import { type Step, TextBlock } from "./text-block.ts";

const LITERAL = /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?)$/;

/**
 * Calls of FunctionGemma: `call:f{city:<escape>Paris<escape>,days:[1,2],at:{hour:5}}`, and of Gemma 4, which writes
 * `<|"|>` for `<escape>`. Keys are bare, text is between two of these tokens, everything else is JSON or text without
 * commas and brackets.
 */
export class EscapedBlock extends TextBlock {
  readonly #quote: string;
  #state: "name" | "member" | "key" | "value" | "text" | "plain" | "after-value" | "close" = "name";
  /** Closing brackets of what is open, the innermost last. */
  readonly #open: string[] = [];
  /** What separates the next member from the one before. */
  #gap = "";
  #plain = "";
  /** Names of the tool's parameters with a colon, which ends other keys; the longest first. */
  #colonKeys: string[] = [];

  constructor(options: BlockOptions, quote: string) {
    super(options);
    this.#quote = quote;
  }

  protected step(): Step {
    switch (this.#state) {
      case "name":
        return this.#name();
      case "member":
        return this.#member();
      case "key":
        return this.#key();
      case "value":
        return this.#value();
      case "text":
        return this.#text();
      case "plain":
        return this.#inPlain();
      case "after-value":
        return this.#afterValue();
      case "close":
        return this.close();
    }
  }

  #name(): Step {
    this.skipSpace();
    const match = /^call:([\w.-]{1,128})(?=\{)/.exec(this.buffer);
    if (!match) return /^(c(a(l(l(:[\w.-]{0,128})?)?)?)?)?$/.test(this.buffer) ? "wait" : "leave";
    if (!this.accepts(match[1]!)) return "leave";
    this.buffer = this.buffer.slice(match[0].length);
    this.start(match[1]!);
    this.#colonKeys = Object.keys(this.typesOf(match[1]!))
      .filter((key) => key.includes(":"))
      .sort((a, b) => b.length - a.length);
    this.#state = "value";
    return "again";
  }

  /** An element of a list, a key with its value, or the closing bracket. */
  #member(): Step {
    this.skipSpace();
    if (this.buffer === "") return "wait";
    const close = this.#open.at(-1)!;
    if (this.take(close)) return this.#close(close);
    this.#state = close === "}" ? "key" : "value";
    return this.#open.length === 1 ? this.#colonKey() : "again";
  }

  /** The key of an argument, if it has a colon itself. */
  #colonKey(): Step {
    const keys = this.#colonKeys.map((key) => `${key}:`);
    // A longer name may begin with a whole one.
    if (keys.some((key) => key !== this.buffer && key.startsWith(this.buffer))) {
      this.#state = "member";
      return "wait";
    }
    const found = keys.find((key) => this.buffer.startsWith(key));
    if (found !== undefined) {
      this.take(found);
      this.#endKey(found.slice(0, -1));
    }
    return "again";
  }

  #key(): Step {
    const key = this.takeUntil(":");
    if (key === undefined) return "wait";
    this.#endKey(key);
    return "again";
  }

  #endKey(key: string): void {
    this.emit(`${this.#gap}${JSON.stringify(key.replaceAll(this.#quote, "").trim())}: `);
    this.#gap = "";
    this.#state = "value";
  }

  #value(): Step {
    this.skipSpace();
    if (this.buffer === "") return "wait";
    const isText = this.take(this.#quote);
    if (isText === undefined) return "wait";
    const close = { "{": "}", "[": "]" }[this.buffer[0] ?? ""];
    if (isText || close === undefined) {
      this.#state = isText ? "text" : "plain";
      return "again";
    }
    if (this.#open.length === MAX_LEVELS) return "leave";
    const bracket = this.buffer[0]!;
    this.take(bracket);
    this.emit(this.#gap + bracket);
    this.#gap = "";
    this.#open.push(close);
    this.#state = "member";
    return "again";
  }

  #text(): Step {
    const text = this.takeUntil(this.#quote);
    return text === undefined ? "wait" : this.#endValue(JSON.stringify(text));
  }

  #inPlain(): Step {
    const part = /^[^,}\]]*/.exec(this.buffer)![0];
    this.#plain += part;
    this.buffer = this.buffer.slice(part.length);
    if (this.buffer === "") return "wait";
    const word = this.#plain.trim();
    this.#plain = "";
    return this.#endValue(LITERAL.test(word) ? word : JSON.stringify(word));
  }

  #endValue(json: string): Step {
    this.emit(this.#gap + json);
    this.#gap = ", ";
    this.#state = "after-value";
    return "again";
  }

  #afterValue(): Step {
    this.skipSpace();
    if (this.buffer === "") return "wait";
    const close = this.#open.at(-1)!;
    if (this.take(close)) return this.#close(close);
    this.#state = "member";
    return this.take(",") ? "again" : "leave";
  }

  #close(bracket: string): Step {
    this.#open.pop();
    this.#gap = "";
    if (this.#open.length > 0) return this.#endValue(bracket);
    this.emit(bracket);
    this.end();
    this.#state = "close";
    return "again";
  }
}
