/** The second view: a text, a query, and the passages of the text ranked by what they mean. */

import type { Runtime } from "infetch";
import type OpenAI from "openai";
import { element } from "./elements.ts";
import { LoadBar } from "./load-bar.ts";
import { reasonOf, showSuggestions } from "./notices.ts";
import { SAMPLE_TEXT } from "./passages.ts";
import { Results } from "./results.ts";
import { EMBEDDING_MODEL, Search, splitPassages } from "./search.ts";
import type { Report } from "./status.ts";

const SUGGESTIONS = ["I cannot log in", "What will the weather be?", "My kitten is ill"];

/** Opens the search. */
export function startSearch(runtime: Runtime, openai: OpenAI, report: Report): void {
  const query = element("query", HTMLInputElement);
  const text = element("passages", HTMLTextAreaElement);
  const results = new Results(element("results", HTMLElement));
  const loadBar = new LoadBar(element("search-card", HTMLElement), EMBEDDING_MODEL, runtime);
  const search = new Search(openai);
  let running: AbortController | undefined;

  const find = async (): Promise<void> => {
    const passages = splitPassages(text.value);
    const wanted = query.value.trim();
    if (wanted === "" || passages.length === 0) return;
    // Only the newest question is worth an answer.
    running?.abort();
    const own = new AbortController();
    running = own;
    report("busy", "Searching");
    results.setBusy(true);
    try {
      const result = await search.find(passages, wanted, own.signal);
      if (running !== own) return;
      results.show(result);
      report("ready", "Ready");
    } catch (error) {
      if (running !== own) return;
      if (own.signal.aborted) return report("ready", "Stopped");
      loadBar.hide();
      results.fail(explain(error), () => void find());
      report("problem", "Search failed");
    } finally {
      if (running === own) results.setBusy(false);
    }
  };

  const showReadiness = (): void => {
    const { length } = splitPassages(text.value);
    element("passage-count", HTMLElement).textContent = `${length} ${length === 1 ? "passage" : "passages"}`;
    element("find", HTMLButtonElement).disabled = query.value.trim() === "" || length === 0;
  };

  text.value = SAMPLE_TEXT;
  for (const field of [query, text]) {
    field.disabled = false;
    field.addEventListener("input", showReadiness);
  }
  text.addEventListener("input", () => results.markOutdated());
  element("search-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    void find();
  });
  element("search-view", HTMLElement).addEventListener("keydown", (event) => {
    if (event.key === "Escape") running?.abort();
  });
  showSuggestions("search-suggestions", SUGGESTIONS, (suggestion) => {
    query.value = suggestion;
    showReadiness();
    query.focus();
    void find();
  });
  showReadiness();
  report("ready", "Ready");
}

/** The API counts inputs from 0 and names the one that is wrong in `param`; people count their lines from 1. */
function explain(error: unknown): string {
  const { param } = error as { param?: string | null };
  const [, at] = /^input\[(\d+)\]$/.exec(param ?? "") ?? [];
  return at === undefined ? reasonOf(error) : `Passage ${Number(at) + 1}: ${reasonOf(error)}`;
}
