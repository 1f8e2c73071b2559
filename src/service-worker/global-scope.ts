/** The used part of https://w3c.github.io/ServiceWorker/, which TypeScript's libraries have only without DOM. */

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

export interface ClientMessageEvent extends MessageEvent, ExtendableEvent {}

interface Client {
  readonly id: string;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

interface ServiceWorkerScope extends EventTarget {
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { includeUncontrolled: boolean; type: "window" }): Promise<readonly Client[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "message", listener: (event: Event) => void): void;
}

/** Whether this is a service worker; the module may be imported anywhere, for example in server-side rendering. */
export const isServiceWorker = "ServiceWorkerGlobalScope" in globalThis;

/** The service worker's global scope; in other contexts, `globalThis`. */
export const globalScope = globalThis as unknown as ServiceWorkerScope;
