import { MAX_LEVELS } from "../call-format.ts";
import { PythonString } from "../scanners/python-string.ts";
import type { BlockOptions } from "./block.ts";
import { callStart } from "./escaped-call-start.ts";
import { EscapedKeys, LONGEST_WAIT } from "./escaped-keys.ts";
import { type Step, TextBlock } from "./text-block.ts";

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };

/**
 * Calls of FunctionGemma: `call:f{city:<escape>Paris<escape>,days:[1,2],at:{hour:5}}`, and of Gemma 4, which writes
 * `<|"|>` for `<escape>`. Keys are bare, text is between two of these tokens, everything else is JSON or text without
 * brackets, and without commas that a parameter may follow. Models also write ordinary quotes, leave out the last token
 * or bracket (Ollama's issue 15315), write `=` for a colon (its issue 17882), or `f(…)`, or names of servers before the
 * tool's (oMLX's pull requests 1886 and 1854).
 */
export class EscapedBlock extends TextBlock {
  readonly #quote: string;
  #state: "name" | "member" | "key" | "value" | "text" | "quoted" | "plain" | "after-value" | "close" =
    "name";
  /** Closing brackets of what is open, the innermost last. */
  readonly #open: string[] = [];
  /** What separates the next member from the one before. */
  #gap = "";
  #plain = "";
  /** Open parentheses in the value of a call in parentheses. */
  #nested = 0;
  #string = new PythonString('"');
  #keys: EscapedKeys;
  /** The name of the argument. */
  #argument = "";

  constructor(options: BlockOptions, quote: string) {
    super(options);
    this.#quote = quote;
    this.#keys = new EscapedKeys({}, quote);
  }

  protected step(): Step {
    if (this.#state === "name") return this.#name();
    if (this.#state === "member") return this.#member();
    if (this.#state === "key") return this.#key();
    if (this.#state === "value") return this.#value();
    if (this.#state === "text") return this.#text();
    if (this.#state === "quoted") return this.#quoted();
    if (this.#state === "plain") return this.#inPlain();
    if (this.#state === "after-value") return this.#afterValue();
    return this.close();
  }

  #name(): Step {
    this.skipSpace();
    const begun = callStart(this.buffer, this.#quote);
    if (typeof begun === "string") return begun;
    const { name, length, bracket } = begun;
    if (!this.accepts(name) || (bracket === "(" && !this.isMarked)) return "leave";
    this.buffer = this.buffer.slice(length);
    this.start(name);
    this.#keys = new EscapedKeys(this.typesOf(name), this.#quote);
    return this.#enter(bracket);
  }

  #enter(bracket: string): Step {
    this.emit(this.#gap + (bracket === "(" ? "{" : bracket));
    this.#gap = "";
    this.#open.push(CLOSING[bracket]!);
    this.#state = "member";
    return "again";
  }

  /** An element of a list, a key with its value, or the closing bracket. */
  #member(): Step {
    this.skipSpace();
    if (this.buffer === "") return "wait";
    const close = this.#open.at(-1)!;
    if (this.take(close)) return this.#close(close);
    this.#state = close === "]" ? "value" : "key";
    return this.#open.length === 1 ? this.#argumentKey() : "again";
  }

  /** The key of an argument, if it has a colon itself, or an equals sign after it. */
  #argumentKey(): Step {
    const key = this.#keys.argumentKey(this.buffer);
    if (key === undefined) {
      this.#state = "member";
      return "wait";
    }
    if (key !== "") {
      this.buffer = this.buffer.slice(key.length + 1);
      this.#endKey(key);
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
    const word = key
      .replaceAll(this.#quote, "")
      .trim()
      .replace(/^"(.*)"$/, "$1");
    const isArgument = this.#open.length === 1;
    const name = isArgument ? this.#keys.named(word) : word;
    if (isArgument) this.#argument = name;
    this.emit(`${this.#gap}${JSON.stringify(name)}: `);
    this.#gap = "";
    this.#state = "value";
  }

  #value(): Step {
    this.skipSpace();
    if (this.buffer === "") return "wait";
    const isText = this.take(this.#quote);
    if (isText === undefined) return "wait";
    const bracket = this.buffer[0] ?? "";
    if (isText || !"{[".includes(bracket) || bracket === "") {
      this.#state = isText ? "text" : /^["']/.test(this.buffer) ? "quoted" : "plain";
      if (this.#state === "quoted") {
        this.#plain = this.buffer[0]!;
        this.#string = new PythonString(this.#plain);
        this.take(this.#plain);
      }
      return "again";
    }
    if (this.#open.length === MAX_LEVELS) return "leave";
    this.take(bracket);
    return this.#enter(bracket);
  }

  #text(): Step {
    const text = this.takeUntil(this.#quote);
    return text === undefined ? "wait" : this.#endValue(JSON.stringify(text));
  }

  /** Text in ordinary quotes, if the value ends after them. */
  #quoted(): Step {
    const end = this.#string.push(this.buffer, 0);
    this.#plain += this.buffer.slice(0, end);
    this.buffer = this.buffer.slice(end);
    if (this.#string.status === "open") return "wait";
    const head = this.buffer.slice(0, LONGEST_WAIT);
    const following = head.trimStart();
    // The token may follow the quote.
    const hasToken = following.startsWith(this.#quote);
    const rest = hasToken ? following.slice(this.#quote.length).trimStart() : following;
    if (this.#quote.startsWith(rest) && head.length < LONGEST_WAIT) return "wait";
    this.#state = "plain";
    const isEnd = this.#open.at(-1) === ")" ? /^[,)]/ : /^[,}\]]/;
    if (this.#string.status === "invalid" || !isEnd.test(rest)) return "again";
    this.#plain = "";
    this.buffer = this.buffer.slice(head.length - rest.length);
    return this.#endValue(JSON.stringify(this.#string.value));
  }

  #inPlain(): Step {
    const isInParentheses = this.#open.at(-1) === ")";
    const part = (isInParentheses ? /^[^,()]*/ : /^[^,}\]]*/).exec(this.buffer)![0];
    this.#plain += part;
    this.buffer = this.buffer.slice(part.length);
    if (this.buffer === "") return "wait";
    const isNested = isInParentheses && this.#isNested(this.buffer[0]!);
    const isComma = this.buffer.startsWith(",") && this.#open.length === 1;
    const isTextual = isNested || (isComma && this.#keys.isInText(this.buffer, this.#argument));
    if (isTextual === undefined) return "wait";
    if (isTextual) {
      this.#plain += this.buffer[0]!;
      this.buffer = this.buffer.slice(1);
      return "again";
    }
    const word = this.#plain.trim();
    this.#plain = "";
    return this.#endValue(this.#plainJson(word));
  }

  #isNested(char: string): boolean {
    if (char === "(") this.#nested++;
    if (this.#nested === 0) return false;
    if (char === ")") this.#nested--;
    return true;
  }

  #plainJson(word: string): string {
    return this.#keys.plainJson(word, this.#open.length === 1 ? this.#argument : undefined);
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
    const ends = this.closeMarkers.filter(
      (one) => one.startsWith(this.buffer) || this.buffer.startsWith(one),
    );
    if (ends.some((one) => this.buffer.startsWith(one))) {
      this.emit(this.missing());
      this.end();
      this.#state = "close";
      return "again";
    }
    if (ends.length > 0) return "wait";
    const isNext = this.take(",") === true;
    this.#state = isNext ? "member" : "close";
    return isNext ? "again" : "leave";
  }

  #close(bracket: string): Step {
    this.#open.pop();
    this.#gap = "";
    if (this.#open.length > 0) return this.#endValue(bracket);
    this.emit("}");
    this.end();
    this.#state = "close";
    return "again";
  }

  protected override missing(): string {
    const written = this.#open.toReversed().join("");
    const brackets = written.replace(")", "}");
    if (this.#state === "after-value" || this.#state === "member") return brackets;
    if (this.#state !== "text" && this.#state !== "quoted" && this.#state !== "plain") return "";
    // The end of a text is missing, in front of the last brackets.
    const unread = this.#state === "text" ? this.unread : this.#plain + this.unread;
    const text = unread.split(this.closeMarkers[0]!, 1)[0]!;
    const value = text.endsWith(written) ? text.slice(0, -written.length) : text;
    const json = this.#state === "plain" ? this.#plainJson(value.trim()) : JSON.stringify(value);
    return this.#gap + json + brackets;
  }
}
