/** Offline readiness and updates of the app. */

import { type Signal, signal } from "@preact/signals";
import { UPDATE_NOW } from "../update-message.ts";

interface OfflineState {
  /** All files of the app, including the built-in models, are cached: it starts offline. */
  isReady: boolean;
  /** The browser's online status. */
  isOnline: boolean;
  /** Present if an update is waiting: activates it and reloads the page. Downloads and the ledger are kept. */
  update?: () => void;
}

export const offline: Signal<OfflineState> = signal({ isReady: false, isOnline: true });

function report(changes: Partial<OfflineState>): void {
  offline.value = { ...offline.value, ...changes };
}

/**
 * Registers the service worker and updates {@link offline}. Without service worker support the app works, but is
 * never ready offline.
 */
export function startOffline(): void {
  addEventListener("online", () => report({ isOnline: true }));
  addEventListener("offline", () => report({ isOnline: false }));
  report({ isOnline: navigator.onLine });
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  serviceWorker
    .register(new URL("service-worker.js", document.baseURI))
    .then((registration) => {
      offerUpdates(registration);
      return serviceWorker.ready;
    })
    .then(() => report({ isReady: true }))
    // The app works without it.
    .catch(() => {});
}

function offerUpdates(registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator;
  const offerWaiting = (): void => {
    const { waiting } = registration;
    // The first version has no predecessor to wait for.
    if (!waiting || !serviceWorker.controller) return;
    const update = (): void => {
      serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      waiting.postMessage(UPDATE_NOW);
    };
    report({ update });
  };
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", offerWaiting);
  });
  offerWaiting();
  let isControlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    // Another tab has updated the app: the files of this page's panels are gone. The first version only takes over.
    if (isControlled) report({ update: () => location.reload() });
    isControlled = true;
  });
}
