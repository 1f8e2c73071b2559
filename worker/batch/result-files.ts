import type { FileStore } from "./files/file-store.ts";
import type { FileWriter } from "./files/file-writer.ts";
import type { ResultStore } from "./result-store.ts";
import type { BatchRow, FileRow, ResultRow } from "./schema.ts";

type Kind = ResultRow["kind"];

/**
 * Writes the output and error files of a batch in line order; empty files are omitted. The caller's transaction
 * makes them visible together with the batch's final state.
 */
export async function writeResultFiles(
  batch: BatchRow,
  { files, results }: { files: FileStore; results: ResultStore },
): Promise<Record<Kind, FileRow | undefined>> {
  const encoder = new TextEncoder();
  const writers = new Map<Kind, FileWriter>();
  try {
    for await (const rows of results.of(batch.id)) {
      for (const { kind, text } of rows) {
        const writer = writers.get(kind) ?? (await files.write(batch.account));
        writers.set(kind, writer);
        await writer.write(encoder.encode(`${text}\n`));
      }
    }
    const close = (kind: Kind) =>
      writers.get(kind)?.close({
        purpose: "batch_output",
        filename: `${batch.id}_${kind}.jsonl`,
        lifeSeconds: batch.output_life_s,
      });
    return { output: await close("output"), error: await close("error") };
  } catch (error) {
    for (const writer of writers.values()) await writer.discard().catch(() => {});
    throw error;
  }
}
