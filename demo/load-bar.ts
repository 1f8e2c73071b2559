/** How far the load of the model has come. */

import type { ProgressEvent } from "infetch";
import { element } from "./elements.ts";

const WORDS: Record<ProgressEvent["phase"], string> = {
  download: "Reading",
  compile: "Preparing",
  ready: "Ready",
};

/** Shows one event; the bar goes when the model is ready. */
export function showProgress(event: ProgressEvent): void {
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  const bytes =
    event.totalBytes > 0 ? ` · ${megabytes(event.loadedBytes)} of ${megabytes(event.totalBytes)} MB` : "";
  element("load", HTMLElement).hidden = event.phase === "ready";
  element("load-text", HTMLElement).textContent = `${WORDS[event.phase]} ${event.model}${bytes}`;
  element("load-bar", HTMLProgressElement).value = event.fraction;
}

/** Takes the bar away, for a load that failed. */
export function hideProgress(): void {
  element("load", HTMLElement).hidden = true;
}
