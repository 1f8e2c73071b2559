import type { ModelProgressEvent } from "infetch";
import { formatBytes, formatTime } from "../format/format.ts";
import { loads } from "../store/runtime.ts";

const WORDS: Record<ModelProgressEvent["phase"], string> = {
  download: "Reading",
  compile: "Preparing",
  ready: "Ready",
};

/** Progress bar of a model load; hidden if there is none. */
export function LoadBar({ model }: { model: string }) {
  const event = loads.value[model];
  if (!event) return null;
  const bytes =
    event.totalBytes > 0 ? ` · ${formatBytes(event.loadedBytes)} of ${formatBytes(event.totalBytes)}` : "";
  const pause = event.waitsUntil ? ` · waits for the server until ${formatTime(event.waitsUntil)}` : "";
  const text = `${WORDS[event.phase]} ${model}${bytes}${pause}`;
  return (
    <div class="load">
      <span class="load-text">{text}</span>
      <progress aria-label={`Load of ${model}`} max={1} value={event.fraction} />
    </div>
  );
}
