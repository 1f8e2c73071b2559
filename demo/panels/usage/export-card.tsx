import { useSignal } from "@preact/signals";
import type { ExportFormat, ExportRequest } from "infetch/billing";
import { count } from "../../format/format.ts";
import { reasonOf } from "../../store/loadable.ts";
import { runtime } from "../../store/runtime.ts";
import { downloadBlob } from "../../ui/download.ts";
import { Select, TextField } from "../../ui/fields.tsx";
import { filledIn } from "../../ui/filled-in.ts";
import { Icon } from "../../ui/icon.tsx";
import { Card } from "../../ui/panel.tsx";
import { set } from "../../ui/set.ts";

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
  const { billing } = runtime();

  const attempt = async (work: () => Promise<string>): Promise<void> => {
    message.value = await work().catch(reasonOf);
  };
  const save = async (): Promise<string> => {
    const request: ExportRequest = {
      format: format.value,
      ...filledIn({
        windowSize: format.value === "csv" ? "day" : "",
        from: from.value && `${from.value}T00:00:00Z`,
        // The selected day is inclusive; the API's end is exclusive.
        to: to.value && new Date(Date.parse(to.value) + DAY_MS).toISOString(),
      }),
    };
    const extension = format.value === "csv" ? "csv" : "jsonl";
    downloadBlob(`infetch-${format.value}.${extension}`, await billing.exportUsage(request));
    return "Saved.";
  };
  const restore = async (file: File): Promise<string> => {
    const { added, duplicate, conflict, refused } = await billing.importUsage(file);
    return `${count(added, "row")} added, ${duplicate} duplicate, ${conflict} in conflict, ${refused} rejected.`;
  };
  const verify = async (): Promise<string> => {
    const { ok, differences } = await billing.verify();
    return ok
      ? "All totals match their events."
      : `Totals that differ from their events: ${differences.length.toLocaleString("en")}.`;
  };

  return (
    <Card title="Export and restore">
      {/* A form, so that the browser refuses a date that is half typed: its value is empty. */}
      <form
        class="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(save);
        }}
      >
        <div class="fields">
          <Select label="Format" value={format.value} options={FORMATS} onChange={set(format)} />
          {format.value === "backup" ? null : (
            <>
              <TextField label="From" type="date" value={from.value} onInput={set(from)} />
              <TextField label="To, inclusive" type="date" value={to.value} onInput={set(to)} />
            </>
          )}
        </div>
        <div class="row">
          <button type="submit" class="button primary">
            <Icon name="download" />
            Export
          </button>
          <label class="button">
            <Icon name="upload" />
            Restore a backup
            <input
              class="hidden"
              type="file"
              accept=".jsonl"
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? [];
                if (file) void attempt(() => restore(file));
                event.currentTarget.value = "";
              }}
            />
          </label>
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
