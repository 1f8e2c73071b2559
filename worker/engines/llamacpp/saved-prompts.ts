/**
 * Estimates what llama.cpp's memory of earlier prompts has grown to. Its server keeps a copy of a conversation that
 * another one displaces, and takes it up again when it comes back; but it would keep up to 8 GB of them, no call
 * of wllama sets another limit, and memory of WebAssembly is never given back. Once the limit here is passed, the
 * model is loaded afresh.
 */
export class SavedPrompts {
  readonly #bytesPerToken: number;
  readonly #limitBytes: number;
  #savedBytes = 0;
  #heldTokens = 0;

  constructor(bytesPerToken: number, limitBytes = 256 * 2 ** 20) {
    this.#bytesPerToken = bytesPerToken;
    this.#limitBytes = limitBytes;
  }

  get isFull(): boolean {
    return this.#savedBytes > this.#limitBytes;
  }

  /** A reply is over. What was held before is saved where less than half of it is of use to this one. */
  note({ promptTokens, cachedTokens, completionTokens }: Readonly<Record<Counts, number>>): void {
    if (cachedTokens < this.#heldTokens / 2) this.#savedBytes += this.#heldTokens * this.#bytesPerToken;
    this.#heldTokens = promptTokens + completionTokens;
  }
}

type Counts = "promptTokens" | "cachedTokens" | "completionTokens";
