/** Unlisted hub models: the engine for `<org>/<model>` follows from the name alone. */

import type { ChatBuilds } from "../engines/api/model-files.ts";
import { embeddingRecord } from "./embedding-models.ts";
import { hubFolder } from "./hub-folder.ts";
import { hubNameOf, parseHubName } from "./hub-name.ts";
import type { CatalogRecord, ChatModelRecord } from "./model-record.ts";
import { CATALOGUE_CREATED, type PrebuiltManifest, prebuiltRecord } from "./prebuilt.ts";

/**
 * The record of a hub model, at the revision in its name: an MLC build runs on WebGPU, a GGUF file with llama.cpp,
 * and anything else is treated as an ONNX embedding model. Sends no request; whether the hub has it shows when it is
 * loaded.
 *
 * @param file in the repository, for GGUF
 * @returns undefined for what no engine here can run: an MLC build without a library
 */
export function hubRecord(
  name: string,
  hubURL: string,
  file: string | undefined,
  manifest: PrebuiltManifest,
): CatalogRecord | undefined {
  const parsed = parseHubName(name);
  if (!parsed) return undefined;
  const { repository, revision } = parsed;
  const id = hubNameOf(parsed);
  if (file === undefined && !/-MLC$|-GGUF$/i.test(repository)) {
    return embeddingRecord({ id }, hubURL, CATALOGUE_CREATED);
  }
  const record =
    file === undefined ? prebuiltRecord(repository, hubURL, manifest) : ggufRecord(repository, hubURL, file);
  return (
    record && { ...record, id, builds: atRevision(record.builds, hubFolder(hubURL, repository, revision)) }
  );
}

function ggufRecord(repository: string, hubURL: string, file: string): ChatModelRecord {
  return {
    id: repository,
    kind: "chat",
    created: CATALOGUE_CREATED,
    ownedBy: repository.split("/")[0]!,
    baseModel: repository,
    contextWindow: undefined,
    builds: { llamacpp: { ...hubFolder(hubURL, repository), parts: [{ name: file, bytes: 0 }] } },
  };
}

function atRevision({ webllm, llamacpp }: ChatBuilds, folder: ReturnType<typeof hubFolder>): ChatBuilds {
  return {
    ...(webllm ? { webllm: { ...webllm, ...folder } } : {}),
    ...(llamacpp ? { llamacpp: { ...llamacpp, ...folder } } : {}),
  };
}
