import type { EmbeddingModelOption } from "../../../src/protocol/options/own-models.ts";
import { canonicalName, hubNameOf, isHubName, parseHubName } from "../hub/hub-name.ts";
import type { EmbeddingModelRecord } from "../model-record.ts";
import { type EmbeddingRow, embeddingRecord } from "./embedding-models.ts";

/**
 * The records of the models named in the options: `listed` with their own ids, and hub models, which only batches and
 * deployments use; `findAtHub` takes their rules for other revisions and GGUF files, too.
 */
export function namedEmbeddings(
  options: readonly EmbeddingModelOption[],
  hubURL: string,
  created: number,
): {
  listed: EmbeddingModelRecord[];
  ofHub: EmbeddingModelRecord[];
  findAtHub: (name: string, file?: string) => EmbeddingModelRecord | undefined;
} {
  const rows = options.map(({ kind: _, ...row }): EmbeddingRow => row);
  const toRecord = (row: EmbeddingRow) => embeddingRecord(row, hubURL, created);
  const named = rows.filter(({ id }) => isHubName(id));
  const findAtHub = (name: string, file?: string): EmbeddingModelRecord | undefined => {
    const parsed = parseHubName(name);
    if (!parsed) return undefined;
    const id = hubNameOf(parsed);
    const exact = named.find((row) => canonicalName(row.id) === id);
    const ofFile = file === undefined ? {} : { file };
    if (exact) return toRecord({ ...exact, ...ofFile });
    const other = named.find((row) => parseHubName(row.id)?.repository === parsed.repository);
    if (!other || other.url !== undefined) return undefined;
    const { hubId: _, revision: __, ...rules } = other;
    return toRecord({ ...rules, id, ...ofFile });
  };
  return {
    listed: rows.filter(({ id }) => !isHubName(id)).map(toRecord),
    ofHub: named.map(toRecord),
    findAtHub,
  };
}
