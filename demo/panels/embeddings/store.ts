/** State of the search: text, query and results. */

import { batch, computed, type Signal, signal } from "@preact/signals";
import { reasonOf } from "../../store/loadable.ts";
import { embeddingModels } from "../../store/models.ts";
import { begin, forgetLoad, openai } from "../../store/runtime.ts";
import { SAMPLE_TEXT } from "./sample-text.ts";
import { Search, type SearchResult } from "./search.ts";
import { splitPassages, type Unit } from "./split.ts";

export const text = signal(SAMPLE_TEXT);
export const unit: Signal<Unit> = signal("line");
export const query = signal("");
export const wantedModel = signal("");
export const result: Signal<SearchResult | undefined> = signal(undefined);
export const problem = signal("");
export const wasStopped = signal(false);
/** Embedded share of the text, 0 to 1; undefined if no search is running. */
export const progress: Signal<number | undefined> = signal(undefined);

export const passages = computed(() => splitPassages(text.value, unit.value));
export const model = computed(() => {
  const ids = embeddingModels.value.map(({ id }) => id);
  return ids.includes(wantedModel.value) ? wantedModel.value : (ids[0] ?? "");
});
/** Whether the results belong to another text. */
export const isOutdated = computed(() => {
  const found = result.value?.hits;
  return (
    found !== undefined &&
    found
      .map((hit) => hit.passage)
      .sort()
      .join("\n") !== [...passages.value].sort().join("\n")
  );
});

const searches = new Map<string, Search>();
let running: AbortController | undefined;

/** Searches the text for the query; a newer search supersedes older ones. */
export async function find(): Promise<void> {
  const wanted = query.value.trim();
  if (wanted === "" || passages.value.length === 0) return;
  running?.abort();
  const own = new AbortController();
  running = own;
  const end = begin("Searching");
  batch(() => {
    progress.value = 0;
    problem.value = "";
    wasStopped.value = false;
  });
  try {
    const search = await searchWith(model.value);
    const found = await search.find(passages.value, wanted, own.signal, (fraction) => {
      if (running === own) progress.value = fraction;
    });
    if (running === own) result.value = found;
  } catch (error) {
    if (running !== own) return;
    forgetLoad(model.value);
    if (own.signal.aborted) wasStopped.value = true;
    else problem.value = reasonOf(error);
  } finally {
    end();
    if (running === own) {
      running = undefined;
      progress.value = undefined;
    }
  }
}

export function stop(): void {
  running?.abort();
}

async function searchWith(id: string): Promise<Search> {
  const search = searches.get(id) ?? new Search(await openai(), id);
  searches.set(id, search);
  return search;
}

/** Vectors of the shown results' model, embedded so far, as JSON. */
export function vectorsAsJSON({ model }: SearchResult): string {
  const vectors = searches.get(model)?.vectorsOf(passages.value) ?? [];
  return JSON.stringify({ model, data: vectors });
}
