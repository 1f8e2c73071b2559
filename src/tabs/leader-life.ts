/**
 * Whether the page that leads runs. Pages ask it without the broker, which may be what does not answer: it is still
 * loading, has died, or is a service worker of the app that relays nothing.
 */

import { AwakeTimeout } from "../protocol/awake-timeout.ts";

/** Until the next tick, together with the time before: 15 seconds. */
const ANSWER_MS = 9_000;

const openChannel = (scope: string) => new BroadcastChannel(`${scope}:alive`);

/** Answers other pages that this one leads and runs, until `signal` aborts. */
export function answerAsLeader(scope: string, signal: AbortSignal): void {
  const channel = openChannel(scope);
  channel.onmessage = ({ data }) => data === "asks" && channel.postMessage("leads");
  signal.addEventListener("abort", () => channel.close());
}

/** Whether a page answers that it leads. */
export function isLed(scope: string): Promise<boolean> {
  const channel = openChannel(scope);
  return new Promise((resolve) => {
    const end = (isAnswered: boolean): void => {
      timeout.clear();
      channel.close();
      resolve(isAnswered);
    };
    const timeout = new AwakeTimeout(ANSWER_MS, () => end(false));
    channel.onmessage = ({ data }) => data === "leads" && end(true);
    channel.postMessage("asks");
  });
}
