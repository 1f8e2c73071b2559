/** Unlisted hub models: the engine for `<org>/<model>` follows from the name alone. */

import type { GgufFiles, HubSource } from "../engine-api/model-files.ts";
import { CATALOGUE_CREATED, type PrebuiltManifest, prebuiltRecord } from "./chat/prebuilt.ts";
import { embeddingRecord } from "./embeddings/embedding-models.ts";
import { GgufKinds, namesEmbedding } from "./gguf-kinds.ts";
import { hubFolder } from "./hub/hub-folder.ts";
import { hubNameOf, parseHubName } from "./hub/hub-name.ts";
import type { CatalogRecord, ChatModelRecord } from "./model-record.ts";

/**
 * The record of a hub model, at the revision in its name: an MLC build runs on WebGPU, a GGUF file with llama.cpp,
 * and anything else is treated as an ONNX embedding model. Sends no request; whether the hub has it shows when it is
 * loaded.
 *
 * @param file in the repository, for GGUF; without it, only an embedding model by its name has one chosen
 * @param kinds what loads have shown of GGUF files
 * @returns undefined for what no engine here can run: an MLC build without a library
 */
export function hubRecord(
  name: string,
  hubURL: string,
  file: string | undefined,
  manifest: PrebuiltManifest,
  kinds = new GgufKinds(),
): CatalogRecord | undefined {
  const parsed = parseHubName(name);
  if (!parsed) return undefined;
  const { repository, revision } = parsed;
  const id = hubNameOf(parsed);
  const folder = hubFolder(hubURL, repository, revision);
  if (file !== undefined) return ggufRecord(id, { ...folder, parts: [{ name: file, bytes: 0 }] }, kinds);
  if (/-GGUF$/i.test(repository) ? namesEmbedding(repository) : !/-MLC$/i.test(repository)) {
    return embeddingRecord({ id }, hubURL, CATALOGUE_CREATED);
  }
  const record = prebuiltRecord(repository, hubURL, manifest);
  const webllm = record?.builds.webllm;
  return record && { ...record, id, builds: webllm ? { webllm: { ...webllm, ...folder } } : {} };
}

/** As the kind that loads have shown, else the one that the names suggest. */
function ggufRecord(id: string, files: GgufFiles & { hub: HubSource }, kinds: GgufKinds): CatalogRecord {
  const { url, repository } = files.hub;
  const file = files.parts[0]!.name;
  const chat: ChatModelRecord = {
    id,
    kind: "chat",
    created: CATALOGUE_CREATED,
    ownedBy: repository.split("/")[0]!,
    baseModel: repository,
    contextWindow: undefined,
    builds: { llamacpp: files },
  };
  const embedding = embeddingRecord({ id, file }, url, CATALOGUE_CREATED);
  const kind = kinds.of(files);
  if (kind) return kind === "chat" ? chat : embedding;
  return namesEmbedding(repository, file)
    ? { ...embedding, otherwise: chat }
    : { ...chat, otherwise: embedding };
}
