import { useSignal } from "@preact/signals";
import type { ExportFormat, ExportRequest } from "infetch/billing";
import { count } from "../../format/format.ts";
import { reasonOf } from "../../store/loadable.ts";
import { runtime } from "../../store/runtime.ts";
import { bind } from "../../ui/bind.ts";
import { downloadBlob } from "../../ui/download.ts";
import { Select, TextField } from "../../ui/fields.tsx";
import { FileLabel } from "../../ui/file-label.tsx";
import { filledIn } from "../../ui/filled-in.ts";
import { Icon } from "../../ui/icon.tsx";
import { Card } from "../../ui/panel.tsx";

const FORMATS = [
  ["csv", "CSV, for a spreadsheet"],
  ["cloudevents", "CloudEvents, for OpenMeter"],
  ["metronome", "Metronome"],
  ["backup", "Backup of everything"],
] as const satisfies readonly (readonly [ExportFormat, string])[];

const DAY_MS = 86_400_000;

/** Ledger export and import. */
export function ExportCard() {
  const format = useSignal<ExportFormat>("csv");
  const from = useSignal("");
  const to = useSignal("");
  const message = useSignal("");
  const attempt = async (work: () => Promise<string>): Promise<void> => {
    message.value = await work().catch(reasonOf);
  };

  return (
    <Card title="Export and restore">
      {/* A form, so that the browser refuses a date that is half typed: its value is empty. */}
      <form
        class="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(() => save(format.value, from.value, to.value));
        }}
      >
        <div class="fields">
          <Select label="Format" options={FORMATS} {...bind(format)} />
          {format.value === "backup" ? null : (
            <>
              <TextField label="From" type="date" {...bind(from)} />
              <TextField label="To, inclusive" type="date" {...bind(to)} />
            </>
          )}
        </div>
        <div class="row">
          <button type="submit" class="button primary">
            <Icon name="download" />
            Export
          </button>
          <FileLabel
            class="button"
            accept=".jsonl"
            onChoose={([file]) => file && void attempt(() => restore(file))}
          >
            <Icon name="upload" />
            Restore a backup
          </FileLabel>
          <button type="button" class="button" onClick={() => void attempt(verify)}>
            Verify the ledger
          </button>
        </div>
      </form>
      <p class="small-text" role="status">
        {message.value}
      </p>
    </Card>
  );
}

/**
 * @param from first day; empty: the first with usage
 * @param to last day, inclusive; empty: today
 */
async function save(format: ExportFormat, from: string, to: string): Promise<string> {
  const request: ExportRequest = {
    format,
    ...filledIn({
      windowSize: format === "csv" ? "day" : "",
      from: from && `${from}T00:00:00Z`,
      // The API's end is exclusive.
      to: to && new Date(Date.parse(to) + DAY_MS).toISOString(),
    }),
  };
  const extension = format === "csv" ? "csv" : "jsonl";
  downloadBlob(`infetch-${format}.${extension}`, await runtime().billing.exportUsage(request));
  return "Saved.";
}

async function restore(file: File): Promise<string> {
  const { added, duplicate, conflict, refused } = await runtime().billing.importUsage(file).catch(explain);
  return `${count(added, "row")} added, ${duplicate} duplicate, ${conflict} in conflict, ${refused} rejected.`;
}

/** @throws the error, with what to do about a file of another kind */
function explain(error: unknown): never {
  if ((error as { code?: unknown } | null)?.code !== "invalid_argument") throw error;
  throw new Error(`${reasonOf(error)} Choose a file that was exported as “Backup of everything”.`);
}

async function verify(): Promise<string> {
  const { ok, differences } = await runtime().billing.verify();
  return ok
    ? "All totals match their events."
    : `Totals that differ from their events: ${differences.length.toLocaleString("en")}.`;
}
