import { useSignal } from "@preact/signals";
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
  // Copied: clearing the field below also clears its list.
  const run = (files: FileList | null | undefined): void => void runFiles([...(files ?? [])]);
  const isBusy = uploading.value !== "";
  return (
    <Card title="New batch">
      <label
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
          run(event.dataTransfer?.files);
        }}
      >
        <Icon name="upload" />
        <strong class="breakable">
          {isBusy ? `Storing ${uploading.value} …` : "Drop a JSONL file, or choose one"}
        </strong>
        <span class="soft small-text">
          One request on each line, as OpenAI's batches have them. It stays in this browser.
        </span>
        <input
          class="hidden"
          type="file"
          accept=".jsonl,application/jsonl"
          disabled={isBusy}
          onChange={(event) => {
            run(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
      </label>
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
