import { type Part, partsOf } from "./markdown-to-html.ts";

/** Parent of the nodes. */
interface Place<N> {
  append(...nodes: N[]): void;
}

/** The nodes of a text that grows: only parts that changed are rendered again, usually the last one. */
export class RenderedParts<N extends { remove(): void }> {
  readonly #place: Place<N>;
  readonly #render: (part: Part) => N[];
  #shown: { part: Part; nodes: N[] }[] = [];

  constructor(place: Place<N>, render: (part: Part) => N[]) {
    this.#place = place;
    this.#render = render;
  }

  show(text: string): void {
    const parts = partsOf(text);
    const changed = parts.findIndex((part, at) => !isSame(part, this.#shown[at]?.part));
    const kept = changed < 0 ? parts.length : changed;
    for (const { nodes } of this.#shown.splice(kept)) for (const node of nodes) node.remove();
    for (const part of parts.slice(kept)) {
      const nodes = this.#render(part);
      this.#shown.push({ part, nodes });
      for (const node of nodes) this.#place.append(node);
    }
  }
}

function isSame(part: Part, other: Part | undefined): boolean {
  return (
    part.block.type === other?.block.type &&
    part.block.text === other.block.text &&
    part.definitions === other.definitions
  );
}
