/** Broadcasts events of the ledger and of batches to the pages of all tabs. */

import type { BatchEvent, LedgerEvent } from "../../src/protocol/events.ts";

/**
 * @param emit called with events of this tab and of others
 * @returns emits an event here and, if it concerns them, in the other tabs
 */
export function openLedgerBroadcast(
  name: string,
  emit: (event: LedgerEvent) => void,
): (event: LedgerEvent) => void {
  const channel = new BroadcastChannel(`${name}-ledger`);
  channel.onmessage = ({ data }: MessageEvent<LedgerEvent>) => emit(data);
  return (event) => {
    emit(event);
    // A failed write only affects the tab that metered the usage.
    if (event.state === "changed") channel.postMessage(event);
  };
}

interface BatchListener {
  /** Called with events of this tab and of others. */
  emit(event: BatchEvent): void;
  /** Called when another tab creates or cancels a batch, or deletes a file. */
  wake(): void;
}

type BatchMessage = BatchEvent | { type: "wake" };

export function openBatchBroadcast(name: string, { emit, wake }: BatchListener) {
  const channel = new BroadcastChannel(`${name}-batches`);
  channel.onmessage = ({ data }: MessageEvent<BatchMessage>) => {
    if (data.type === "wake") wake();
    else emit(data);
  };
  return {
    publish(event: BatchEvent): void {
      emit(event);
      channel.postMessage(event);
    },
    wakeOthers: (): void => channel.postMessage({ type: "wake" } satisfies BatchMessage),
  };
}
