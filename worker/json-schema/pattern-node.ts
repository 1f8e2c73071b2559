/** A parsed pattern. */

import type { CharacterSet } from "./pattern-characters.ts";

export type PatternNode =
  | { kind: "set"; set: CharacterSet }
  | { kind: "literal"; text: string }
  | { kind: "sequence" | "choice"; parts: PatternNode[] }
  | { kind: "repeat"; part: PatternNode; min: number; max: number | undefined }
  /** What another pattern matches, which may lead back to this one. */
  | { kind: "rule"; name: string };
