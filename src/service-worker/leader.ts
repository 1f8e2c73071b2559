/** Finds the leader page. Service workers are ephemeral, so they keep no record of it. */

import { privateScopeOf, type ScopedMessage } from "../tabs/messages.ts";
import { globalScope } from "./global-scope.ts";

interface CallOptions {
  /** The page that calls. */
  exceptId?: string | undefined;
  /** The service worker itself calls. */
  isServiceWorker: boolean;
  /** Ends the call: its ports would otherwise stay open until a page answers. */
  signal?: AbortSignal;
}

/**
 * Requests a port to the server of `name` from every page. The leader responds; a candidate queues the call until it
 * leads. Pending if there is neither.
 */
export async function callLeader(
  name: string,
  { exceptId, isServiceWorker, signal }: CallOptions,
): Promise<MessagePort> {
  const clients = await globalScope.clients.matchAll({ includeUncontrolled: true, type: "window" });
  const asked: MessagePort[] = [];
  const closePorts = (): void => {
    for (const port of asked) port.close();
  };
  signal?.addEventListener("abort", closePorts);
  return new Promise((resolve) => {
    for (const client of clients) {
      if (client.id === exceptId || signal?.aborted) continue;
      const { port1, port2 } = new MessageChannel();
      asked.push(port1);
      const call: ScopedMessage = { infetch: name, type: "call", port: port2, isServiceWorker };
      client.postMessage(call, [port2]);
      port1.onmessage = ({ ports }) => {
        closePorts();
        resolve(ports[0]!);
      };
    }
  });
}

const DIGEST = "[0-9a-f]{64}";
/**
 * What follows the prefix in the lock of a leader, and of a page with a private server. A `storageName` that begins
 * like this one has more before it.
 */
const FORMS = [DIGEST, privateScopeOf(DIGEST)].map((form) => new RegExp(`^${form}$`));

/** Lock name of the leader or of a candidate, or else of pages with private servers; undefined if there are none. */
export async function findLeader(prefix: string): Promise<string | undefined> {
  const { held = [], pending = [] } = await navigator.locks.query();
  const names = [...held, ...pending].map(({ name = "" }) => name).filter((name) => name.startsWith(prefix));
  const found = FORMS.map((form) => names.find((name) => form.test(name.slice(prefix.length))));
  return found.find((name) => name !== undefined);
}

/**
 * Resolves once there is no leader and no candidate. The leader's lock is acquired and released at once; `signal`
 * stops the watch.
 */
export function untilLeaderless(name: string, signal: AbortSignal): Promise<void> {
  return navigator.locks.request(name, { signal }, () => {});
}
