/** What a search found, on the screen. */

import { create } from "./elements.ts";
import { showFailure } from "./notices.ts";
import type { SearchResult } from "./search.ts";

export class Results {
  readonly #place: HTMLElement;
  readonly #stats = create("p", "stats");

  constructor(place: HTMLElement) {
    this.#place = place;
    this.#stats.role = "status";
  }

  /** What is shown stays until the next answer, paler. */
  setBusy(isBusy: boolean): void {
    this.#place.ariaBusy = String(isBusy);
  }

  /** Shows the passages, the nearest first, and what finding them took. */
  show(result: SearchResult): void {
    const list = create("ol", "hits");
    list.ariaLabel = "Passages, the nearest first";
    for (const { passage, score } of result.hits) {
      const hit = create("li", "hit");
      const meter = create("span", "meter");
      meter.ariaHidden = "true";
      meter.style.setProperty("--score", String(Math.max(0, score)));
      hit.append(create("span", "score", score.toFixed(2)), create("p", "text", passage), meter);
      list.append(hit);
    }
    this.#stats.textContent = describe(result);
    this.#place.replaceChildren(this.#stats, list);
    this.#place.scrollTop = 0;
  }

  /** Says that what is shown was found in another text. */
  markOutdated(): void {
    this.#stats.textContent = "The text has changed since. Search again to embed it.";
  }

  /** Shows why there is no answer. */
  fail(reason: string, retry: () => void): void {
    const failure = create("div", "failure");
    showFailure(failure, reason, retry);
    this.#place.replaceChildren(failure);
  }
}

function describe(result: SearchResult): string {
  const passages = result.embeddedPassages
    ? `${count(result.embeddedPassages, "passage")} embedded: ${count(result.passageTokens, "token")}`
    : "Passages already embedded";
  const time =
    result.elapsedMs < 1000
      ? `${result.elapsedMs.toFixed(0)} ms`
      : `${(result.elapsedMs / 1000).toFixed(1)} s`;
  return `${passages} · query: ${count(result.queryTokens, "token")} · ${time}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
