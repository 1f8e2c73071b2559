/** The text being typed, which a reload of this tab keeps. */

interface StoredDraft {
  /** Its conversation; empty for one without messages. */
  id: string;
  text: string;
}

const KEY = "infetch-console-draft";

export const storedDraft = {
  read(): StoredDraft {
    try {
      const { id, text } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
      if (typeof id === "string" && typeof text === "string") return { id, text };
    } catch {
      // Storage is denied, or another script wrote it.
    }
    return { id: "", text: "" };
  },

  keep(draft: StoredDraft): void {
    try {
      if (draft.text === "") sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, JSON.stringify(draft));
    } catch {
      // Storage is full or denied: the text lasts until the page closes.
    }
  },
};
