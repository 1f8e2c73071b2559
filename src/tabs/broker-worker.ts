/**
 * The broker: a SharedWorker that forwards calls of pages to the leader page. It holds no other state and relays no
 * requests; if its process dies, it is reopened.
 */

import { holdLock, watchLock } from "../protocol/liveness/liveness.ts";
import type { BrokerMessage } from "./messages.ts";

/** The used part of https://html.spec.whatwg.org/#sharedworkerglobalscope, which TypeScript's library lacks. */
interface BrokerScope {
  readonly name: string;
  onconnect: (event: MessageEvent) => void;
}

const scope = globalThis as unknown as BrokerScope;
const pages = new Set<MessagePort>();
let leader: MessagePort | undefined;

const send = (page: MessagePort, message: BrokerMessage): void => page.postMessage(message);

function receive(page: MessagePort, message: BrokerMessage): void {
  // Without a leader the call is dropped; the page retries once there is one.
  if (message.type === "call") leader?.postMessage(message, [message.port]);
  if (message.type === "lead") {
    leader = page;
    for (const one of pages) if (one !== page) send(one, { type: "lead" });
  }
  // A tab that is closed sends no message.
  if (message.type === "join") watchLock(message.lock, () => forget(page));
  if (message.type === "leave") forget(page);
}

function forget(page: MessagePort): void {
  pages.delete(page);
  page.close();
  if (leader === page) leader = undefined;
}

function serve(): void {
  const lock = `${scope.name}:broker:${crypto.randomUUID()}`;
  const locked = holdLock(lock);
  scope.onconnect = ({ ports: [page] }) => {
    if (!page) return;
    pages.add(page);
    page.onmessage = ({ data }: MessageEvent<BrokerMessage>) => receive(page, data);
    void locked.then(() => send(page, { type: "hello", lock }));
  };
}

// No effect outside a SharedWorker.
if ("SharedWorkerGlobalScope" in globalThis) serve();
