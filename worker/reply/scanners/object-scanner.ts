import { JsonScanner, type JsonStatus } from "./json-scanner.ts";

/** Receives a scanned object, in the order of its text. */
interface ObjectSink {
  onKey(key: string): void;
  /** Part of the value of the last key, unchanged, without surrounding white space. */
  onValue(piece: string): void;
  onValueEnd(): void;
}

type Expectation = "open" | "key-or-end" | "key" | "colon" | "value" | "comma-or-end";

/** Streaming scanner of one JSON object that emits its members as they arrive. */
export class ObjectScanner {
  readonly #sink: ObjectSink;
  #status: JsonStatus = "open";
  #expects: Expectation = "open";
  #scanner = new JsonScanner();
  /** Text so far of the current key. */
  #key = "";
  /** Whether the value has begun, and white space is part of it. */
  #begun = false;

  constructor(sink: ObjectSink) {
    this.#sink = sink;
  }

  get status(): JsonStatus {
    return this.#status;
  }

  /** Scans `text` from `from` and returns the index after the last character of the object. */
  push(text: string, from = 0): number {
    let at = from;
    while (at < text.length && this.#status === "open") {
      if (this.#expects === "key" && this.#key !== "") at = this.#inKey(text, at);
      else if (this.#expects === "value") at = this.#inValue(text, at);
      else if (WHITE_SPACE.test(text[at]!)) at++;
      else at += this.#structure(text[at]!);
    }
    return at;
  }

  /** Returns the number of characters consumed: 0 if the character is invalid. */
  #structure(char: string): number {
    if (this.#expects === "open" && char === "{") this.#expects = "key-or-end";
    else if (this.#expects === "key-or-end" && char === "}") this.#status = "complete";
    else if ((this.#expects === "key-or-end" || this.#expects === "key") && char === '"') {
      this.#expects = "key";
      this.#key = char;
      this.#scanner = new JsonScanner();
      this.#scanner.push(char);
    } else if (this.#expects === "colon" && char === ":") {
      this.#expects = "value";
      this.#scanner = new JsonScanner();
    } else if (this.#expects === "comma-or-end" && char === ",") this.#expects = "key";
    else if (this.#expects === "comma-or-end" && char === "}") this.#status = "complete";
    else {
      this.#status = "invalid";
      return 0;
    }
    return 1;
  }

  #inKey(text: string, from: number): number {
    const at = this.#scanner.push(text, from);
    this.#key += text.slice(from, at);
    if (this.#scanner.status === "invalid") this.#status = "invalid";
    if (this.#scanner.status === "complete") {
      this.#sink.onKey(JSON.parse(this.#key) as string);
      this.#key = "";
      this.#expects = "colon";
    }
    return at;
  }

  #inValue(text: string, from: number): number {
    let begin = from;
    while (!this.#begun && begin < text.length && WHITE_SPACE.test(text[begin]!)) begin++;
    const at = this.#scanner.push(text, begin);
    this.#begun ||= at > begin;
    if (at > begin) this.#sink.onValue(text.slice(begin, at));
    if (this.#scanner.status === "invalid") this.#status = "invalid";
    if (this.#scanner.status === "complete") {
      this.#begun = false;
      this.#sink.onValueEnd();
      this.#expects = "comma-or-end";
    }
    return at;
  }
}

const WHITE_SPACE = /[ \n\r\t]/;
