import type { FileRow } from "../schema.ts";

const MAX_CURSORS = 1_000;

/**
 * The last files of recent list pages, in memory. A client that deletes each file it lists asks for the page after a
 * file that no longer exists.
 */
export class ListCursors {
  readonly #createdMs = new Map<string, number>();

  note({ account, id, created_ms }: Pick<FileRow, "account" | "id" | "created_ms">): void {
    const key = keyOf(account, id);
    this.#createdMs.delete(key);
    this.#createdMs.set(key, created_ms);
    if (this.#createdMs.size <= MAX_CURSORS) return;
    const [oldest] = this.#createdMs.keys();
    this.#createdMs.delete(oldest!);
  }

  createdMsOf(account: string, id: string): number | undefined {
    return this.#createdMs.get(keyOf(account, id));
  }
}

function keyOf(account: string, id: string): string {
  return `${account}\n${id}`;
}
