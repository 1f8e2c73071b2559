import type { Block, BlockOptions } from "./block.ts";
import { EscapedBlock } from "./escaped-block.ts";
import { JsonBlock } from "./json-block.ts";
import { NamedBlock } from "./named-block.ts";
import { NestedBlock } from "./nested-block.ts";
import { ObjectBlock } from "./object-block.ts";
import { PythonBlock } from "./python-block.ts";
import { XmlBlock } from "./xml-block.ts";

/** The reader of a format's blocks. */
export function openBlock(options: BlockOptions): Block {
  const { body = { kind: "json" } } = options.format;
  switch (body.kind) {
    case "json":
      return inJson(options);
    case "xml":
      return new EitherBlock(options, () => new XmlBlock(options, body.syntax));
    case "python":
      return new PythonBlock(options);
    case "json-or-python":
      return new EitherBlock(options, () => new PythonBlock(options));
    case "named":
      return new NamedBlock(options, body.syntax);
    case "escaped":
      return new EscapedBlock(options, body.quote);
    case "nested":
      return new NestedBlock(options, body.token);
  }
}

function inJson(options: BlockOptions): Block {
  return new ObjectBlock(new JsonBlock(options));
}

/**
 * Chooses the reader by the beginning of the block: `{` and `[{` are JSON, and so is `[]`. Models that were also trained
 * on Hermes's calls write JSON between their own markers.
 */
class EitherBlock implements Block {
  readonly #options: BlockOptions;
  readonly #other: () => Block;
  #chosen: Block | undefined;
  #waiting = "";
  #isList = false;

  /** @param other of what is not JSON */
  constructor(options: BlockOptions, other: () => Block) {
    this.#options = options;
    this.#other = other;
  }

  get left(): boolean {
    return this.#chosen?.left ?? false;
  }

  get rest(): string {
    return this.#chosen?.rest ?? this.#waiting;
  }

  get hasCalls(): boolean {
    return this.#chosen?.hasCalls ?? false;
  }

  push(text: string): void {
    if (this.#chosen) {
      this.#chosen.push(text);
      return;
    }
    this.#waiting += text;
    for (const char of text) {
      if (" \n\r\t".includes(char)) continue;
      if (char === "[" && !this.#isList) this.#isList = true;
      else {
        const isJson = char === "{" || (char === "]" && this.#isList);
        this.#chosen = isJson ? inJson(this.#options) : this.#other();
        this.#chosen.push(this.#waiting);
        return;
      }
    }
  }

  flush(byModel: boolean): string {
    return this.#chosen?.flush(byModel) ?? this.#waiting;
  }
}
