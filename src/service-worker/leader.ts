/** Finding the page that leads, from a service worker: it may be started and ended at any time, and knows nobody. */

import type { ScopedMessage } from "../tabs/messages.ts";
import { scope } from "./scope.ts";

/**
 * Asks every page for a port to the server of `name`. Whoever leads answers; whoever stands for election keeps the
 * call until it leads. Pending for ever where nobody does.
 */
export async function callLeader(name: string, exceptId?: string): Promise<MessagePort> {
  const clients = await scope.clients.matchAll({ includeUncontrolled: true, type: "window" });
  return new Promise((resolve) => {
    for (const client of clients) {
      if (client.id === exceptId) continue;
      const { port1, port2 } = new MessageChannel();
      const call: ScopedMessage = { infetch: name, type: "call", port: port2 };
      client.postMessage(call, [port2]);
      port1.onmessage = ({ ports }) => resolve(ports[0]!);
    }
  });
}

/** The lock of a page that leads, or of one that is about to; undefined where no page runs infetch. */
export async function findLeader(prefix: string): Promise<string | undefined> {
  const { held = [], pending = [] } = await navigator.locks.query();
  return [...held, ...pending].find(({ name }) => name?.startsWith(prefix) && !name.includes(":broker:"))
    ?.name;
}

/**
 * Resolves once nobody leads and nobody waits to; it has then held the leader's lock for an instant, and gives it
 * back at once. `signal` ends the watch.
 */
export function leaderless(name: string, signal: AbortSignal): Promise<void> {
  return navigator.locks.request(name, { signal }, () => {});
}
