/**
 * Suspension of a page: in the back/forward cache, or frozen in the background. Its workers are suspended too, and a
 * lock that it holds would block other pages. https://wicg.github.io/page-lifecycle/
 */

interface Listener {
  /** The page is suspended, with its workers; a page in the back/forward cache must not hold locks. */
  onSuspend(isCached: boolean): void;
  onResume(): void;
}

/** Watches the page until `signal` aborts. A page that ends without being cached fires no event. */
export function watchPageLifecycle({ onSuspend, onResume }: Listener, signal?: AbortSignal): void {
  const on = (target: EventTarget, type: string, listener: (event: Event) => void): void =>
    target.addEventListener(type, listener, signal ? { signal } : {});
  const ifCached = (listener: () => void) => (event: Event) => {
    if ((event as PageTransitionEvent).persisted) listener();
  };
  on(
    globalThis,
    "pagehide",
    ifCached(() => onSuspend(true)),
  );
  on(globalThis, "pageshow", ifCached(onResume));
  if (typeof document === "undefined") return;
  on(document, "freeze", () => onSuspend(false));
  on(document, "resume", onResume);
}
