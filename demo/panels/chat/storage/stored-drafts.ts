/** Texts being typed, by conversation, which a reload of this tab keeps. */

const KEY = "infetch-console-drafts";

export const storedDrafts = {
  read(): Map<string, string> {
    try {
      const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
      const entries = Object.entries(Object(stored));
      return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
    } catch {
      // Storage is denied, or another script wrote it.
      return new Map();
    }
  },

  keep(texts: ReadonlyMap<string, string>): void {
    try {
      if (texts.size === 0) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(texts)));
    } catch {
      // Storage is full or denied: the texts last until the page closes.
    }
  },
};
