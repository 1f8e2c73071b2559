/** Notifies pages of ledger changes: those of this tab through ports, others by BroadcastChannel. */

import type { LedgerEvent } from "../../src/protocol/events.ts";

interface LedgerBroadcast {
  publish(event: LedgerEvent): void;
}

export function openLedgerBroadcast(name: string, onEvent: (event: LedgerEvent) => void): LedgerBroadcast {
  const channel = new BroadcastChannel(`${name}-ledger`);
  channel.onmessage = ({ data }: MessageEvent<LedgerEvent>) => onEvent(data);
  return {
    publish(event) {
      onEvent(event);
      // A failed write only affects the tab that metered the usage.
      if (event.state === "changed") channel.postMessage(event);
    },
  };
}
