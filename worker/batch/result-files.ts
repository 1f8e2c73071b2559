import type { BatchStore } from "./batch-store.ts";
import type { FileStore } from "./file-store.ts";
import type { FileWriter } from "./file-writer.ts";
import type { BatchRow, FileRow, ResultRow } from "./schema.ts";

type Kind = ResultRow["kind"];

/**
 * Writes the output and the error file of a batch, in the order of its lines; a file without lines is not made.
 * They become seen together with the batch's last state, in a transaction of the caller's.
 */
export async function writeResultFiles(
  batch: BatchRow,
  { files, batches }: { files: FileStore; batches: BatchStore },
): Promise<Record<Kind, FileRow | undefined>> {
  const encoder = new TextEncoder();
  const writers = new Map<Kind, FileWriter>();
  try {
    for await (const results of batches.results(batch.id)) {
      for (const { kind, text } of results) {
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
