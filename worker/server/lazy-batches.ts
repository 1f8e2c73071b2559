import type { ServerOptions } from "../../src/protocol/options/server-options.ts";
import { filesName } from "../batch/files/files-name.ts";
import { loadPart } from "../lazy/part.ts";
import { isStored } from "../storage/database.ts";
import type { App } from "./app.ts";
import type { BatchesServices, ServerBatches } from "./batches.ts";
import { openBatchBroadcast } from "./broadcasts.ts";

interface LazyBatchesServices extends Omit<BatchesServices, "name" | "database" | "onEvent" | "wakeOthers"> {
  options: Pick<ServerOptions, "storageName">;
  /** Sends an event of a batch, of this tab or another, to the pages of this server. */
  emit: BatchesServices["onEvent"];
}

/** Files and batches, loaded on the first request, or at start-up if any are stored. */
export class LazyBatches {
  readonly #name: string;
  readonly #open: () => Promise<ServerBatches>;
  #app: Pick<App, "dispatch"> | undefined;
  #opening: Promise<ServerBatches> | undefined;

  constructor({ options, emit, ...services }: LazyBatchesServices) {
    const name = options.storageName;
    const { publish, wakeOthers } = openBatchBroadcast(name, { emit, wake: () => void this.wake() });
    this.#name = name;
    this.#open = async () => {
      const { openBatches } = await loadPart(() => import("./batches.ts"));
      return openBatches({ ...services, name, onEvent: publish, wakeOthers });
    };
  }

  /** Sets what runs the lines of batches; the next {@link wake} resumes stored batches. */
  run(app: Pick<App, "dispatch">): void {
    this.#app = app;
  }

  /** A failed load rejects for its caller; the next call retries. */
  readonly get = (): Promise<ServerBatches> => {
    if (this.#opening) return this.#opening;
    const opening = this.#open().then((opened) => {
      if (this.#app) opened.run(this.#app);
      return opened;
    });
    this.#opening = opening;
    opening.catch(() => {
      this.#opening = undefined;
    });
    return opening;
  };

  /** Checks for work: something changed in this or another tab, or time has passed. Never rejects. */
  async wake(): Promise<void> {
    if (!this.#app) return;
    try {
      if (this.#opening || (await isStored(filesName(this.#name)))) (await this.get()).wake();
    } catch {
      // Retried on the next wake-up.
    }
  }
}
