/** The models of the options, and what is wrong with the options' lists: a part, loaded only if an app has any. */

import { type FolderModelOption, isEmbeddingOption } from "../../src/protocol/options/own-models.ts";
import type { ServerOptions } from "../../src/protocol/options/server-options.ts";
import { namedEmbeddings } from "../catalog/embeddings/named-embeddings.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
import { type FetchText, OwnModels } from "../catalog/own-models/own-models.ts";
import { loadPart } from "../lazy/part.ts";

export { findListFault } from "../catalog/own-models/check-options.ts";

interface OptionModels {
  /** Those with ids of their own. */
  listed: CatalogRecord[];
  /** The embedding models, those of the hub included. */
  embeddings: CatalogRecord[];
  /** An embedding model of the hub that the options name. */
  findAtHub(name: string, file?: string): CatalogRecord | undefined;
  /** Reads the manifest of a folder. @throws {EngineError} */
  read(id: string): Promise<CatalogRecord>;
}

/** @param created Unix seconds, for models whose manifests have no date */
export function optionModels({ models, hub }: ServerOptions, created: number): OptionModels {
  const isFolder = (model: ServerOptions["models"][number]): model is FolderModelOption =>
    !isEmbeddingOption(model);
  const own = new OwnModels(models.filter(isFolder), fetchText, created);
  const { listed, ofHub, findAtHub } = namedEmbeddings(models.filter(isEmbeddingOption), hub.url, created);
  return {
    listed: [...listed, ...own.unread()],
    embeddings: [...listed, ...ofHub],
    findAtHub,
    read: (id) => own.read(id),
  };
}

const fetchText: FetchText = async (...of) =>
  (await loadPart(() => import("../model-store/fetch-text.ts"))).fetchText(...of);
