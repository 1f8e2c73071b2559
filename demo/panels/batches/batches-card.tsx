import type OpenAI from "openai";
import { count, formatDuration, formatTime } from "../../format/format.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Card } from "../../ui/panel.tsx";
import { Empty, WhenReady } from "../../ui/states.tsx";
import { batches, cancelBatch, saveFile } from "./store.ts";

const ENDED: readonly OpenAI.Batch["status"][] = ["completed", "failed", "expired", "cancelled"];
const TONES: Partial<Record<OpenAI.Batch["status"], string>> = {
  completed: "tag good",
  failed: "tag bad",
  expired: "tag bad",
  cancelled: "tag warn",
};

/** Batches, newest first. */
export function BatchesCard() {
  return (
    <Card title="Batches">
      <WhenReady of={batches} what="the batches">
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="layers" title="No batches yet">
              <p>Batches run after all other requests, at batch prices, and continue after a reload.</p>
            </Empty>
          ) : (
            <ul class="batch-list" aria-label="Batches">
              {items.map((batch) => (
                <BatchRow key={batch.id} batch={batch} />
              ))}
            </ul>
          )
        }
      </WhenReady>
      {batches.value?.hasMore ? <MoreButton what="batches" onMore={() => void batches.showMore()} /> : null}
    </Card>
  );
}

function BatchRow({ batch }: { batch: OpenAI.Batch }) {
  const { id, status, endpoint, request_counts: counts, metadata } = batch;
  const name = metadata?.name ?? id;
  const done = (counts?.completed ?? 0) + (counts?.failed ?? 0);
  const isEnded = ENDED.includes(status);
  return (
    <li class="batch" aria-label={name}>
      <header>
        <h3 class="breakable">{name}</h3>
        <span class={TONES[status] ?? "tag accent"}>{status.replace("_", " ")}</span>
      </header>
      <p class="soft small-text">
        <span class="mono">{endpoint}</span> · {formatTime(batch.created_at * 1000)}
        {counts && counts.total > 0 ? ` · ${progressWords(counts)}` : ""}
        {batch.completed_at && batch.in_progress_at
          ? ` · ${formatDuration((batch.completed_at - batch.in_progress_at) * 1000)}`
          : ""}
      </p>
      {isEnded ? null : <progress aria-label={`Progress of ${name}`} max={counts?.total || 1} value={done} />}
      {batch.errors?.data?.slice(0, 5).map((error) => (
        <p key={`${error.line}-${error.code}`} class="hint wrong breakable">
          {error.line ? `Line ${error.line}: ` : ""}
          {error.message}
        </p>
      ))}
      <div class="row">
        {batch.output_file_id ? (
          <button
            type="button"
            class="button small"
            onClick={() => void saveFile(batch.output_file_id!, `${id}-results.jsonl`)}
          >
            <Icon name="download" />
            Results
          </button>
        ) : null}
        {batch.error_file_id ? (
          <button
            type="button"
            class="button small"
            onClick={() => void saveFile(batch.error_file_id!, `${id}-errors.jsonl`)}
          >
            <Icon name="download" />
            Errors
          </button>
        ) : null}
        {isEnded || status === "cancelling" ? null : (
          <ConfirmButton label="Cancel" icon="stop" labelled onConfirm={() => void cancelBatch(id)} />
        )}
      </div>
    </li>
  );
}

function progressWords({ total, completed, failed }: OpenAI.BatchRequestCounts): string {
  const failures = failed > 0 ? `, ${failed} failed` : "";
  return `${completed} of ${count(total, "request")}${failures}`;
}
