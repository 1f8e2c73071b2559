import { computed } from "@preact/signals";
import { offline } from "../store/offline.ts";
import { activity, connection, loads } from "../store/runtime.ts";

interface Status {
  kind: "busy" | "ready" | "problem";
  text: string;
  /** Changes too often to be announced. */
  progress?: string;
}

/** Short status of the page. */
const status = computed<Status>(() => {
  const { state } = connection.value;
  if (state === "failed") return { kind: "problem", text: "Not available" };
  if (state === "starting") return { kind: "busy", text: "Starting …" };
  const load = Object.values(loads.value)[0];
  if (load) return { kind: "busy", text: "Loading", progress: `${Math.round(load.fraction * 100)}\u00a0%` };
  if (activity.value !== "") return { kind: "busy", text: activity.value };
  return { kind: "ready", text: offline.value.isOnline ? "Ready" : "Ready, offline" };
});

export function StatusLine() {
  const { kind, text, progress } = status.value;
  return (
    <p class="status" role="status" data-kind={kind}>
      {text}
      {progress ? <span aria-hidden="true">{progress}</span> : null}
    </p>
  );
}
