/** Anchors of patterns, which stand at the ends of a text only. */

import { asciiExcept, PatternProblem } from "./pattern-characters.ts";
import { EMPTY, inOrder, type PatternNode } from "./pattern-node.ts";

export const ANY_TEXT: PatternNode = {
  kind: "repeat",
  part: { kind: "set", set: { ascii: asciiExcept([]), beyond: "all" } },
  min: 0,
  max: undefined,
};

const ANCHORS_INSIDE = "anchors are supported at the ends only.";
/** Known by identity. */
export const ANCHORS: Readonly<Record<string, PatternNode>> = { "^": { ...EMPTY }, $: { ...EMPTY } };

/** Notes where the anchors of one pattern are, and removes them. */
export class Anchors {
  /** Nodes in which there is an anchor. */
  readonly #anchored = new Set<PatternNode>(Object.values(ANCHORS));

  /** A node of these parts; one alone stays as it is. */
  joined(kind: "choice" | "sequence", parts: PatternNode[]): PatternNode {
    if (parts.length === 1) return parts[0]!;
    const node: PatternNode = { kind, parts };
    if (parts.some((part) => this.#anchored.has(part))) this.#anchored.add(node);
    return node;
  }

  /**
   * Makes a pattern match whole texts.
   *
   * @param before what may precede it at the beginning of the text, undefined where it is not at the beginning
   * @throws {PatternProblem} for an anchor elsewhere
   */
  without(node: PatternNode, before?: PatternNode, after?: PatternNode): PatternNode {
    if (!this.#anchored.has(node)) return inOrder(before ?? EMPTY, node, after ?? EMPTY);
    if (node === ANCHORS["^"] && before) return after ?? EMPTY;
    if (node === ANCHORS.$ && after) return before ?? EMPTY;
    switch (node.kind) {
      case "choice":
        return { ...node, parts: node.parts.map((part) => this.without(part, before, after)) };
      case "sequence":
        return { ...node, parts: this.#partsWithout(node.parts, before, after) };
      default:
        throw new PatternProblem(ANCHORS_INSIDE);
    }
  }

  #partsWithout(parts: readonly PatternNode[], before?: PatternNode, after?: PatternNode): PatternNode[] {
    const first = parts.findIndex((part) => part !== ANCHORS["^"]);
    const last = parts.findLastIndex((part) => part !== ANCHORS.$);
    return parts.map((part, at) =>
      this.without(
        part,
        at === 0 ? before : before && at <= first ? EMPTY : undefined,
        at === parts.length - 1 ? after : after && at >= last ? EMPTY : undefined,
      ),
    );
  }

  /** @throws {PatternProblem} for an anchor in the part */
  repeated(part: PatternNode, min: number, max: number | undefined): PatternNode {
    if (this.#anchored.has(part)) throw new PatternProblem(ANCHORS_INSIDE);
    return { kind: "repeat", part, min, max };
  }
}
