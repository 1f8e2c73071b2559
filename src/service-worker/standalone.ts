/**
 * Standalone service worker for apps without one: copy `dist/worker/service-worker.js` beside the page and register
 * it. It only serves `/v1`, from the first visit on.
 */

import { globalScope, isServiceWorker } from "./global-scope.ts";
import { answerRequests } from "./index.ts";

if (isServiceWorker) {
  globalScope.addEventListener("install", (event) => event.waitUntil(globalScope.skipWaiting()));
  globalScope.addEventListener("activate", (event) => event.waitUntil(globalScope.clients.claim()));
  answerRequests();
}
