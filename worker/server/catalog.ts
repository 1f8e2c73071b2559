/** Composes the catalogue of one server: built-in, published and custom models, and deployments. */

import type { ServerOptions } from "../../src/protocol/options/server-options.ts";
import { aliasesOf } from "../catalog/aliases.ts";
import { builtInModels } from "../catalog/built-in.ts";
import { Catalog } from "../catalog/catalog.ts";
import { catalogueChatModels } from "../catalog/chat/chat-models.ts";
import { rememberAdapter } from "../catalog/chat/device-build.ts";
import { prebuiltModels } from "../catalog/chat/prebuilt.ts";
import { openDeploymentStore } from "../catalog/deployments/deployment-store.ts";
import { Deployments } from "../catalog/deployments/deployments.ts";
import { builtInEmbedding, catalogueEmbeddings } from "../catalog/embeddings/embedding-models.ts";
import type { GgufKinds } from "../catalog/gguf-kinds.ts";
import { hubRecord } from "../catalog/hub.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { findAdapter } from "../engine-api/gpu-adapter.ts";
import { loadPart } from "../lazy/part.ts";
import type { Aliases } from "../usage/billing/prices/rate-card.ts";

const optionModels = () => import("./option-models.ts");

export interface ServerCatalog {
  catalog: Catalog;
  deployments: Deployments;
  /** Aliases of a model, which share its price. */
  aliases: Aliases;
}

/**
 * Returns the options, and the fault of their lists, without which the server can start and report it; undefined if they
 * are valid.
 */
export async function checkOptions(
  given: ServerOptions,
  listed: readonly CatalogRecord[],
): Promise<{ options: ServerOptions; fault: string | undefined }> {
  const { upstream, ...others } = given;
  if (given.models.length === 0 && !upstream) return { options: given, fault: undefined };
  const { findListFault } = await loadPart(optionModels);
  const ids = listed.map(({ id }) => id);
  const fault = findListFault(given, ids);
  return { options: fault ? { ...others, models: [] } : given, fault };
}

/**
 * @param kinds what loads have shown of GGUF files
 * @param onGone called with a deployment that another server deleted
 */
export async function openCatalog(
  options: ServerOptions,
  listed: readonly CatalogRecord[],
  kinds: GgufKinds,
  clock: Clock,
  onGone: (model: CatalogRecord) => void,
): Promise<ServerCatalog> {
  const created = unixSeconds(clock);
  const { url: hubURL, librariesURL } = options.hub;
  const prebuilt = prebuiltModels(librariesURL);
  const own =
    options.models.length > 0 ? (await loadPart(optionModels)).optionModels(options, created) : undefined;
  const catalog: Catalog = new Catalog([...listed, ...(own?.listed ?? [])], {
    deployments: () => deployments.records(),
    retry: () => deployments.retry(),
    fromHub: (name, file) => own?.findAtHub(name, file) ?? hubRecord(name, hubURL, file, prebuilt, kinds),
    ...(own ? { readOwn: own.read } : {}),
    adapter: rememberAdapter(findAdapter),
  });
  const deployments = await Deployments.open(
    await openDeploymentStore(options.storageName),
    (model, file) => catalog.base(model, file),
    onGone,
  );
  const aliases = aliasesOf([...listed, ...(own?.embeddings ?? [])]);
  return { catalog, deployments, aliases };
}

/** Built-in and published models, present in every catalogue. */
export function listedModels({ modelsURL, hub }: ServerOptions): CatalogRecord[] {
  return [
    ...builtInModels(modelsURL),
    builtInEmbedding(modelsURL),
    ...catalogueChatModels(hub.url, prebuiltModels(hub.librariesURL)),
    ...catalogueEmbeddings(hub.url),
  ];
}
