/** Models that the runtime's options name by URL. Their manifests are read on first use. */

import type { FolderModelOption } from "../../../src/protocol/options/own-models.ts";
import { sha256OfText } from "../../../src/shared/hex.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import { MANIFEST_FILE } from "../../engine-api/file-name.ts";
import { loadPart } from "../../lazy/part.ts";
import type { CatalogRecord, ChatModelRecord } from "../model-record.ts";

/** Fetches a text file; undefined if the host does not have it. @throws {EngineError} */
export type FetchText = (url: string, sha256: string | undefined) => Promise<string | undefined>;

export class OwnModels {
  readonly #options: ReadonlyMap<string, FolderModelOption>;
  readonly #fetchText: FetchText;
  readonly #created: number;
  readonly #reading = new Map<string, Promise<CatalogRecord>>();

  /** @param created Unix seconds, for models whose manifests have no date */
  constructor(options: readonly FolderModelOption[], fetchText: FetchText, created: number) {
    this.#options = new Map(options.map((option) => [option.id, option]));
    this.#fetchText = fetchText;
    this.#created = created;
  }

  /** Placeholders until they are read: names without builds. */
  unread(): ChatModelRecord[] {
    return [...this.#options.values()].map(({ id }) => ({
      id,
      kind: "chat",
      isUnread: true,
      created: this.#created,
      ownedBy: "user",
      contextWindow: undefined,
      builds: {},
    }));
  }

  /**
   * The model as its manifest describes it. Read once; after a failure the next call retries.
   *
   * @throws {EngineError} `model_download_failed`, `model_load_failed`
   */
  read(id: string): Promise<CatalogRecord> {
    let reading = this.#reading.get(id);
    if (!reading) {
      reading = this.#read(this.#options.get(id)!);
      this.#reading.set(id, reading);
      reading.catch(() => this.#reading.delete(id));
    }
    return reading;
  }

  async #read({ id, url, sha256, contextWindow, parallel }: FolderModelOption): Promise<CatalogRecord> {
    const sourceURL = String(url);
    const address = new URL(MANIFEST_FILE, sourceURL).href;
    const text = await this.#fetchText(address, sha256);
    if (text === undefined) {
      throw new EngineError(
        "model_load_failed",
        `The folder of '${id}' has no ${MANIFEST_FILE}: ${address} was not found. Create it with: node node_modules/infetch/dist/model-manifest.js <folder>`,
      );
    }
    const version = (await sha256OfText(text)).slice(0, 12);
    const { recordOf } = await loadPart(() => import("./manifest.ts"));
    const settings = {
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(parallel === undefined ? {} : { parallel }),
    };
    return recordOf(text, { id, sourceURL, version, created: this.#created, ...settings });
  }
}
