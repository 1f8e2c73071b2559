import type { CallFormat, ParameterTypes } from "../call-format.ts";
import type { CallSink } from "../scanners/call-scanner.ts";

/** Receives the calls of a block. */
export interface BlockSink extends CallSink {
  onEnd(): void;
}

export interface BlockOptions {
  format: CallFormat;
  sink: BlockSink;
  /** False for a name that is not a tool's: then there is no call. */
  accepts: (name: string) => boolean;
  /** Whether a known name without arguments counts as a call. */
  nameSuffices: boolean;
  /** Whether arguments must be called `arguments`. */
  isStrict: boolean;
  /** Whether a marker opened the block, which ordinary text has none of. */
  isMarked: boolean;
  typesOf: (tool: string) => ParameterTypes;
}

/** Reads what follows an opening marker, until {@link left}; then {@link rest} is the text after it. */
export interface Block {
  readonly left: boolean;
  /** The text after the block, or after what could still be read of it; without a call, all of it except the marker. */
  readonly rest: string;
  readonly hasCalls: boolean;
  push(text: string): void;
  /**
   * Ends the reply. Returns what turned out to be text; a truncated call or closing marker is not.
   *
   * @param byModel whether the model ended the reply, so that a call may be completed
   */
  flush(byModel: boolean): string;
}
