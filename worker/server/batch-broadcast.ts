/** Broadcasts batch events to the pages of all tabs, and wake-ups to their servers. */

import type { BatchEvent } from "../../src/protocol/events.ts";

interface BatchBroadcast {
  publish(event: BatchEvent): void;
  wakeOthers(): void;
}

interface Listener {
  /** Called with events of this tab and of others. */
  onEvent(event: BatchEvent): void;
  /** Called when another tab creates or cancels a batch, or deletes a file. */
  wake(): void;
}

type Message = BatchEvent | { type: "wake" };

export function openBatchBroadcast(name: string, { onEvent, wake }: Listener): BatchBroadcast {
  const channel = new BroadcastChannel(`${name}-batches`);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === "wake") wake();
    else onEvent(data);
  };
  return {
    publish(event) {
      onEvent(event);
      channel.postMessage(event);
    },
    wakeOthers: () => channel.postMessage({ type: "wake" } satisfies Message),
  };
}
