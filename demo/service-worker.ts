/**
 * Offline support for the console: precaches all files, including the built-in models, on the first visit. Downloaded
 * models and the ledger are stored separately, unaffected by app updates.
 */

import { answerRequests } from "infetch/service-worker";
import { cleanupOutdatedCaches, type PrecacheEntry, precacheAndRoute } from "workbox-precaching";
import { networkFirst } from "./network-first.ts";
import { UPDATE_NOW } from "./update-message.ts";

/** All files of the built app with their content hashes, injected by the build. */
declare const __PRECACHE__: PrecacheEntry[];

/** The used part of https://w3c.github.io/ServiceWorker/, which TypeScript's libraries have only without DOM. */
interface ServiceWorkerScope extends EventTarget {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
}

interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const scope = self as unknown as ServiceWorkerScope;

answerRequests();
cleanupOutdatedCaches();
precacheAndRoute(__PRECACHE__);

// Files needed by some browsers only are cached on first use.
const USED = "infetch-console-used";
scope.addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  if (request.method === "GET" && /\/infetch\/llamacpp\/compat\//.test(request.url)) {
    (event as FetchEvent).respondWith(networkFirst(request, USED));
  }
});

// An update waits for the user, because pages of two versions cannot share their files.
scope.addEventListener("message", (event) => {
  if ((event as MessageEvent).data === UPDATE_NOW) void scope.skipWaiting();
});
scope.addEventListener("activate", (event) => {
  (event as Event & { waitUntil(work: Promise<void>): void }).waitUntil(scope.clients.claim());
});
