import { FileLabel } from "../../ui/file-label.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Card } from "../../ui/panel.tsx";
import { Failure } from "../../ui/states.tsx";
import { useDrop } from "../../ui/use-drop.ts";
import { type Example, exampleFile } from "./example.ts";
import { problem, runFiles, uploading } from "./store.ts";

const EXAMPLES = [
  ["chat", "Try four questions"],
  ["embeddings", "Try three embeddings"],
] as const satisfies readonly (readonly [Example, string])[];

/** Drop area for a file of requests. */
export function NewBatchCard() {
  const { isOver, handlers } = useDrop((files) => void runFiles(files));
  const isBusy = uploading.value !== "";
  return (
    <Card title="New batch">
      <FileLabel
        accept=".jsonl,application/jsonl"
        disabled={isBusy}
        onChoose={(files) => void runFiles(files)}
        class={isOver ? "drop over" : "drop"}
        {...handlers}
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
