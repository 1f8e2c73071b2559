import { PythonLiteral } from "../scanners/python-literal.ts";
import type { Block } from "./block.ts";

/** The first key of a dictionary, and its end if it is there. */
const KEY = /^(\w*)('?)/;
const KEYS = ["name", "arguments", "parameters", "function", "type"];

/**
 * Calls in JSON. One that is written as Python's dictionary, as Falcon-H1's prompt shows it, is read as the JSON that it
 * means, once it is whole.
 */
export class ObjectBlock implements Block {
  readonly #inJson: Block;
  #kind: "open" | "key" | "python" | "json" = "open";
  #hasBrace = false;
  readonly #literal = new PythonLiteral();
  /** The text so far, until it is read as JSON. */
  #text = "";
  #left = false;

  /** @param inJson reads the JSON */
  constructor(inJson: Block) {
    this.#inJson = inJson;
  }

  get left(): boolean {
    return this.#left || this.#inJson.left;
  }

  get rest(): string {
    return this.#kind === "json" ? this.#inJson.rest : this.#text;
  }

  get hasCalls(): boolean {
    return this.#kind === "json" && this.#inJson.hasCalls;
  }

  push(text: string): void {
    if (this.#kind === "json") {
      this.#inJson.push(text);
      return;
    }
    this.#text += text;
    if (this.#kind === "open") this.#begin(text);
    else this.#inPython(text);
  }

  flush(byModel: boolean): string {
    this.#left = true;
    if (this.#kind === "open") this.#toJson(this.#text);
    return this.#kind === "json" ? this.#inJson.flush(byModel) : this.#text;
  }

  #begin(text: string): void {
    for (const char of text) {
      if (WHITE_SPACE.test(char)) continue;
      if (char === "{" && !this.#hasBrace) this.#hasBrace = true;
      else {
        if (!this.#hasBrace || char !== "'") this.#toJson(this.#text);
        else {
          this.#kind = "key";
          this.#inPython(this.#text);
        }
        return;
      }
    }
  }

  #toJson(text: string): void {
    this.#kind = "json";
    this.#inJson.push(text);
  }

  #inPython(text: string): void {
    const end = this.#literal.push(text);
    if (this.#kind === "key") this.#checkKey();
    this.#left ||= this.#literal.status === "invalid";
    if (this.#left || this.#literal.status !== "complete") return;
    this.#inJson.push(this.#literal.json);
    if (this.#inJson.hasCalls) this.#toJson(text.slice(end));
    else this.#left = true;
  }

  /** Other dictionaries do not wait for their end. */
  #checkKey(): void {
    const [, key, end] = KEY.exec(this.#text.slice(this.#text.indexOf("'") + 1))!;
    if (end !== "") this.#kind = "python";
    this.#left = !KEYS.some((one) => (end === "" ? one.startsWith(key!) : one === key));
  }
}

const WHITE_SPACE = /[ \n\r\t]/;
