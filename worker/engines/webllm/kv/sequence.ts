import { PageHolder } from "./page-tracker.ts";

/** The cache has no pages for a prompt, even with all idle sequences gone. Nothing has changed. */
export class OutOfPages extends Error {
  override readonly name = "OutOfPages";
}

/** A sequence of the library. Its tokens are in the tree of its scope. */
export class Sequence extends PageHolder {
  constructor(
    readonly id: number,
    readonly scope: string,
  ) {
    super();
  }
}

/** The sequence with the fewest tokens. */
export function shortest(sequences: readonly Sequence[]): Sequence | undefined {
  return sequences.reduce<Sequence | undefined>(
    (least, one) => (least && least.length <= one.length ? least : one),
    undefined,
  );
}
