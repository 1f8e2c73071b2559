/** The connected pages, as receivers of runtime events. */

import type { RuntimeEvent, StatsEvent } from "../../src/protocol/events.ts";
import type { EventsControl } from "../../src/protocol/wire.ts";

export class Pages {
  readonly #ports = new Set<MessagePort>();
  /** Those that listen to {@link StatsEvent}s. */
  readonly #watching = new Set<MessagePort>();
  /** Called when another page listens to {@link StatsEvent}s. */
  onWatch: () => void = () => {};

  add(events: MessagePort): void {
    this.#ports.add(events);
    events.onmessage = ({ data }: MessageEvent<EventsControl>) => {
      if (data.watchStats) this.#watching.add(events);
      else this.#watching.delete(events);
      if (data.watchStats) this.onWatch();
    };
  }

  delete(events: MessagePort): void {
    this.#ports.delete(events);
    this.#watching.delete(events);
    events.close();
  }

  get isWatched(): boolean {
    return this.#watching.size > 0;
  }

  /** Sends an event to all connected pages; none is connected while the server starts. */
  readonly broadcast = (event: RuntimeEvent): void => {
    for (const events of this.#ports) events.postMessage(event);
  };

  /** Sends an event to the pages that listen to such. */
  readonly broadcastStats = (event: StatsEvent): void => {
    for (const events of this.#watching) events.postMessage(event);
  };
}
