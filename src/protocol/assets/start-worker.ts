/** Starts workers from the package's files. */

import { messagesHandled } from "../liveness/liveness.ts";
import { allowedScriptURL } from "./trusted-types.ts";

/** Starts a worker. If the constructor throws, the returned worker fires an `error` event instead. */
export function openWorker(url: string | URL, name: string): Worker {
  try {
    return new Worker(allowedScriptURL(url), { type: "module", name });
  } catch {
    const none = Object.assign(new EventTarget(), { postMessage() {}, terminate() {} }) as unknown as Worker;
    queueMicrotask(() => none.onerror?.(new ErrorEvent("error")));
    return none;
  }
}

/** Delay before the diagnostic fetch of the script, to keep it off the network during startup. */
const UNDISTURBED_MS = 1_000;

/**
 * Whether a worker posts nothing, although its script can be fetched: it died before its first line, or never ran.
 * Never rejects.
 *
 * @param timeoutMs time for a loaded script to run its first line
 */
export async function isUnresponsive(
  url: string | URL,
  timeoutMs: number,
  hasResponded: () => boolean,
): Promise<boolean> {
  await new Promise((over) => setTimeout(over, UNDISTURBED_MS));
  if (hasResponded()) return false;
  await afterScriptLoaded(url, timeoutMs);
  await messagesHandled();
  return !hasResponded();
}

/** Time for an engine's worker to run its first line: one that dies before it reports no error. */
export const ENGINE_START_TIMEOUT_MS = 20_000;

/** A server may accept the connection and send nothing, or stop in the middle. */
const SILENCE_MS = 120_000;

/**
 * Waits until a worker's script is fetched, or no part of it arrives for two minutes, then `timeoutMs` for it to run its
 * first line, so that a slow network does not count as a crash. Never rejects.
 */
export async function afterScriptLoaded(url: string | URL, timeoutMs: number): Promise<void> {
  await fetchScript(url);
  await new Promise((over) => setTimeout(over, timeoutMs));
}

/** Fetches a script to its end, or until no part of it arrives for two minutes. Never rejects. */
export async function fetchScript(url: string | URL, init?: RequestInit): Promise<void> {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => late.abort(), SILENCE_MS);
  };
  wait();
  try {
    const reader = (await fetch(url, { ...init, signal: late.signal })).body?.getReader();
    while (reader && !(await reader.read()).done) wait();
  } catch {}
  clearTimeout(timer);
}
