/** Output items of forwarded responses. The upstream stores none, so that references to them are resolved here. */

import type { ItemCache } from "../responses/item-cache.ts";

type Item = Record<string, unknown> & { id: string };

export class ResponseItems {
  readonly #items = new Map<string, Item>();

  /** Notes the items in an event of a stream: whole ones, and the text of those that may be cut. */
  note({ type, item, item_id: id, content_index: at, delta, response }: Record<string, unknown>): void {
    this.noteAll([item]);
    this.noteAll(Object(response).output);
    if (type !== "response.output_text.delta" || typeof id !== "string" || typeof delta !== "string") return;
    const open = this.#items.get(id);
    if (open?.type !== "message") return;
    const content = Array.isArray(open.content) ? [...open.content] : [];
    const place = Math.min(Number.isInteger(at) ? Math.abs(at as number) : 0, content.length);
    content[place] = { type: "output_text", text: `${content[place]?.text ?? ""}${delta}`, annotations: [] };
    this.#items.set(id, { ...open, content, status: "incomplete" });
  }

  /** @param items `output` of a response, of any form */
  noteAll(items: unknown): void {
    if (!Array.isArray(items)) return;
    for (const item of items) if (isItem(item)) this.#items.set(item.id, item);
  }

  /** Leaves out what was cut in the middle, such as a call without its arguments, and what is too deep to be sent again. */
  rememberIn(memory: ItemCache, account: string): void {
    for (const item of this.#items.values()) {
      if (item.status === "in_progress") continue;
      try {
        memory.remember(account, [item]);
      } catch {
        // Too deep for the stack: each browser has an error of its own for it.
      }
    }
  }
}

function isItem(item: unknown): item is Item {
  return typeof Object(item).id === "string" && !Array.isArray(item);
}
