/** Events of a reply with tool calls. `index` counts the calls of the reply. */
export type ToolReaderEvent =
  /** `end`: how many characters were added up to the end of the text. */
  | { type: "text"; text: string; end: number }
  | { type: "tool-call-start"; index: number; id: string; name: string }
  /** JSON text of the arguments, exactly as generated; concatenated, the whole object. */
  | { type: "tool-call-delta"; index: number; arguments: string }
  | { type: "tool-call-end"; index: number }
  /** The model began to write the results of its calls itself; what follows is not read. */
  | { type: "results" };

/** Collects the events of a reply, and counts its calls and characters. */
export class ToolEvents {
  readonly #mintId: () => string;
  #events: ToolReaderEvent[] = [];
  #added = 0;
  #calls = 0;
  #isInCall = false;

  constructor(mintId: () => string) {
    this.#mintId = mintId;
  }

  /** Whether the last call has not ended. */
  get inCall(): boolean {
    return this.#isInCall;
  }

  /** Number of started calls. */
  get calls(): number {
    return this.#calls;
  }

  /** Counts characters of the reply. */
  add(length: number): void {
    this.#added += length;
  }

  /** @param after characters that were added after the text */
  text(text: string, after: number): void {
    const end = this.#added - after;
    const last = this.#events.at(-1);
    if (last?.type === "text" && last.end + text.length === end) {
      last.text += text;
      last.end = end;
    } else {
      this.#events.push({ type: "text", text, end });
    }
  }

  start(name: string): void {
    this.#isInCall = true;
    this.#events.push({ type: "tool-call-start", index: this.#calls++, id: this.#mintId(), name });
  }

  arguments(piece: string): void {
    this.#events.push({ type: "tool-call-delta", index: this.#calls - 1, arguments: piece });
  }

  end(): void {
    this.#isInCall = false;
    this.#events.push({ type: "tool-call-end", index: this.#calls - 1 });
  }

  results(): void {
    this.#events.push({ type: "results" });
  }

  /** Removes and returns what was collected. */
  drain(): ToolReaderEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
