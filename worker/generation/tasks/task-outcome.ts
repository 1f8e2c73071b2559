/** How a worker's task ended. */
export type TaskOutcome<Result> = { result: Result } | { failure: string };

/** Sent by a worker once its script has loaded: an error after it is a crash. */
export const LOADED = "loaded";

/** For the script of a worker. Does nothing elsewhere, for example in server-side rendering. */
export function reportLoaded(): void {
  if ("DedicatedWorkerGlobalScope" in globalThis) postMessage(LOADED);
}
