import type { BlockOptions } from "./call-block.ts";
import { MAX_LEVELS } from "./call-format.ts";
import { EscapedKeys } from "./escaped-keys.ts";
import { PythonString } from "./python-string.ts";
import { type Step, TextBlock } from "./text-block.ts";

/** White space and a key are looked for within so much text: to wait for more would cost all of it at each piece. */
const LONGEST_WAIT = 1024;

const NAME = /^:?call:(?:[\w.-]{1,64}:){0,8}([\w.-]{1,128})([{(])/;
const PARTIAL_NAME = /^:?(c(a(l(l(:([\w.-]{1,64}:){0,8}[\w.-]{0,128})?)?)?)?)?$/;
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
      case "quoted":
        return this.#quoted();
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
    const match = NAME.exec(this.buffer);
    if (!match) return PARTIAL_NAME.test(this.buffer) ? "wait" : "leave";
    const [text, name, bracket] = match as unknown as [string, string, string];
    if (!this.accepts(name) || (bracket === "(" && !this.isMarked)) return "leave";
    this.buffer = this.buffer.slice(text.length);
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
    if (this.#string.status === "invalid" || !/^[,}\])]/.test(rest)) return "again";
    this.#plain = "";
    this.buffer = this.buffer.slice(head.length - rest.length);
    return this.#endValue(JSON.stringify(this.#string.value));
  }

  #inPlain(): Step {
    const end = this.#open.at(-1) === ")" ? /^[^,)]*/ : /^[^,}\]]*/;
    const part = end.exec(this.buffer)![0];
    this.#plain += part;
    this.buffer = this.buffer.slice(part.length);
    const isTextual = this.buffer === "" ? undefined : this.#isTextual();
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

  #plainJson(word: string): string {
    return this.#keys.plainJson(word, this.#open.length === 1 ? this.#argument : undefined);
  }

  /** Whether a comma belongs to the text of an argument; undefined if more text is needed to tell. */
  #isTextual(): boolean | undefined {
    if (!this.buffer.startsWith(",") || this.#open.length !== 1) return false;
    if (!this.#keys.isText(this.#argument)) return false;
    const isNext = this.#keys.begins(this.buffer.slice(1, LONGEST_WAIT).trimStart());
    return isNext === undefined && this.buffer.length < LONGEST_WAIT ? undefined : isNext !== true;
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
