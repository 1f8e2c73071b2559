import { useSignal } from "@preact/signals";
import { count } from "../../format/format.ts";
import { bind } from "../../ui/bind.ts";
import { downloadText } from "../../ui/download.ts";
import { Select } from "../../ui/fields.tsx";
import { FileLabel } from "../../ui/file-label.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Card } from "../../ui/panel.tsx";
import { useDrop } from "../../ui/use-drop.ts";
import type { Unit } from "./split.ts";
import { passages, result, text, unit, vectorsAsJSON } from "./store.ts";

const UNITS = [
  ["line", "One passage on each line"],
  ["paragraph", "Paragraphs"],
] as const satisfies readonly (readonly [Unit, string])[];

/** Text to search: typed, pasted or dropped as files. */
export function SourceCard() {
  const problem = useSignal("");
  const takeFiles = async (files: readonly File[]): Promise<void> => {
    problem.value = "";
    try {
      const texts = await Promise.all(files.map(readText));
      if (texts.length > 0) text.value = texts.join("\n\n");
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  const { isOver, handlers } = useDrop((files) => void takeFiles(files));
  const found = result.value;
  return (
    <Card
      title="Your text"
      aside={<span class="soft small-text">{count(passages.value.length, "passage")}</span>}
    >
      <textarea
        class={isOver ? "source over" : "source"}
        aria-label="Your text"
        dir="auto"
        spellcheck={false}
        rows={16}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        {...handlers}
      />
      {problem.value === "" ? null : (
        <p class="hint wrong" role="alert">
          {problem.value}
        </p>
      )}
      <Select
        label="Passages"
        options={UNITS}
        hint="Paste, type, or drop text files onto the field."
        {...bind(unit)}
      />
      <div class="row">
        <FileLabel
          class="button small"
          accept=".txt,.md,.csv,.json,text/*"
          multiple
          onChoose={(files) => void takeFiles(files)}
        >
          <Icon name="upload" />
          Open files
        </FileLabel>
        <button
          type="button"
          class="button small"
          disabled={found === undefined}
          onClick={() => found && downloadText("vectors.json", vectorsAsJSON(found), "application/json")}
        >
          <Icon name="download" />
          Vectors as JSON
        </button>
      </div>
    </Card>
  );
}

/** Larger files do not fit a text field. */
const MAX_FILE_BYTES = 2_000_000;

async function readText(file: File): Promise<string> {
  if (file.size > MAX_FILE_BYTES) throw new Error(`${file.name} is larger than 2 MB: paste a part of it.`);
  const content = await file.text();
  if (content.includes("\0"))
    throw new Error(`${file.name} is no text: open a .txt, .md, .csv or .json file.`);
  return content;
}
