/** Output items of forwarded responses. The upstream stores none, so that references to them are resolved here. */

import type { ItemMemory } from "../responses/item-memory.ts";

type Item = Record<string, unknown> & { id: string };

export class ResponseItems {
  readonly #items = new Map<string, Item>();

  /** Notes what an event of a stream says about items: whole ones, and the text of those that may be cut. */
  note({ type, item, item_id: id, delta, response }: Record<string, unknown>): void {
    this.noteAll([item]);
    this.noteAll(Object(response).output);
    if (type !== "response.output_text.delta" || typeof id !== "string" || typeof delta !== "string") return;
    const open = this.#items.get(id);
    if (open?.type !== "message") return;
    const [part] = Array.isArray(open.content) ? open.content : [];
    const text = `${part?.text ?? ""}${delta}`;
    const content = [{ type: "output_text", text, annotations: [] }];
    this.#items.set(id, { ...open, content, status: "incomplete" });
  }

  /** @param items `output` of a response, of any form */
  noteAll(items: unknown): void {
    if (!Array.isArray(items)) return;
    for (const item of items) if (isItem(item)) this.#items.set(item.id, item);
  }

  rememberIn(memory: ItemMemory, account: string): void {
    memory.remember(account, [...this.#items.values()]);
  }
}

function isItem(item: unknown): item is Item {
  return typeof Object(item).id === "string" && !Array.isArray(item);
}
