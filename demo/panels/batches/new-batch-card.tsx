import { useSignal } from "@preact/signals";
import { FileLabel } from "../../ui/file-label.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Card } from "../../ui/panel.tsx";
import { Failure } from "../../ui/states.tsx";
import { type Example, exampleFile } from "./example.ts";
import { problem, runFiles, uploading } from "./store.ts";

const EXAMPLES = [
  ["chat", "Try four questions"],
  ["embeddings", "Try three embeddings"],
] as const satisfies readonly (readonly [Example, string])[];

/** Drop area for a file of requests. */
export function NewBatchCard() {
  const isOver = useSignal(false);
  const isBusy = uploading.value !== "";
  return (
    <Card title="New batch">
      <FileLabel
        accept=".jsonl,application/jsonl"
        disabled={isBusy}
        onChoose={(files) => void runFiles(files)}
        class={isOver.value ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => {
          isOver.value = false;
        }}
        onDrop={(event) => {
          event.preventDefault();
          isOver.value = false;
          void runFiles([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <Icon name="upload" />
        <strong class="breakable">
          {isBusy ? `Storing ${uploading.value} …` : "Drop a JSONL file, or choose one"}
        </strong>
        <span class="soft small-text">
          One request on each line, as OpenAI's batches have them. It stays in this browser.
        </span>
      </FileLabel>
      <div class="row">
        {EXAMPLES.map(([example, words]) => (
          <button
            key={example}
            type="button"
            class="button small"
            disabled={isBusy}
            onClick={() => void runFiles([exampleFile(example)])}
          >
            {words}
          </button>
        ))}
      </div>
      {problem.value === "" ? null : <Failure reason={problem.value} />}
    </Card>
  );
}
