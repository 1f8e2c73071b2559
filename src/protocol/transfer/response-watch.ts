/** Delivery of a response, as reported by its receiver. */

import type { BodyControl } from "./body.ts";

/** Delivery callbacks for the sender of a response. */
export interface ResponseWatch {
  /** The last byte was sent, or the receiver cancelled. */
  onSent?(): void;
  /** The response was passed to the caller. */
  onTaken?(): void;
  /**
   * The body was read to its end, or abandoned: aborted, cancelled, or its page closed. If set, the request stays
   * open until then.
   */
  onEnd?(isRead: boolean): void;
}

/** Resolves once the receiver has read the whole body or abandoned it. */
export function watchEnd(
  port: MessagePort,
  signal: AbortSignal | undefined,
  watch: ResponseWatch,
): Promise<void> {
  return new Promise((resolve) => {
    const end = (isRead: boolean): void => {
      port.removeEventListener("message", onControl as EventListener);
      signal?.removeEventListener("abort", onAbort);
      watch.onEnd?.(isRead);
      resolve();
    };
    const onAbort = (): void => end(false);
    const onControl = ({ data }: MessageEvent<BodyControl>): void => {
      if (data.type === "taken") watch.onTaken?.();
      else if (data.type === "read" || data.type === "cancel") end(data.type === "read");
    };
    port.addEventListener("message", onControl as EventListener);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort);
  });
}
