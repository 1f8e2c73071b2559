/** How far the load of one model has come, at the top of the view that uses it. */

import type { ProgressEvent, Runtime } from "infetch";
import { create } from "./elements.ts";

const WORDS: Record<ProgressEvent["phase"], string> = {
  download: "Reading",
  compile: "Preparing",
  ready: "Ready",
};

export class LoadBar {
  readonly #root = create("label", "load");
  readonly #text = create("span", "load-text");
  readonly #bar = create("progress", "");

  /** Listens to the runtime; takes no room while nothing loads. */
  constructor(view: HTMLElement, model: string, runtime: Pick<Runtime, "on">) {
    this.#root.hidden = true;
    this.#root.append(this.#text, this.#bar);
    view.prepend(this.#root);
    runtime.on("progress", (event) => {
      if (event.model === model) this.#show(event);
    });
  }

  /** Takes the bar away, for a load that failed. */
  hide(): void {
    this.#root.hidden = true;
  }

  #show(event: ProgressEvent): void {
    const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
    const bytes =
      event.totalBytes > 0 ? ` · ${megabytes(event.loadedBytes)} of ${megabytes(event.totalBytes)} MB` : "";
    this.#root.hidden = event.phase === "ready";
    this.#text.textContent = `${WORDS[event.phase]} ${event.model}${bytes}`;
    this.#bar.value = event.fraction;
  }
}
