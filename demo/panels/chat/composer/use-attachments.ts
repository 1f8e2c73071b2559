import { type Signal, useSignal } from "@preact/signals";
import { readImage } from "./attachments.ts";

/**
 * Adds chosen, dropped and pasted files to `images`.
 *
 * @param refusal why the model takes no images; empty if it does
 */
export function useAttachments(images: Signal<string[]>, refusal: string) {
  const problem = useSignal("");
  /** Until a model is chosen that takes images. */
  const isRefused = useSignal(false);
  /** Files that are being read. */
  const reading = useSignal(0);

  const attach = async (files: Iterable<File>): Promise<void> => {
    const chosen = [...files];
    isRefused.value = false;
    reading.value += chosen.length;
    const results = await Promise.allSettled(chosen.map(readImage));
    reading.value -= chosen.length;
    const added = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    images.value = [...images.value, ...added];
    const failed = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason as Error] : [],
    );
    problem.value = failed.map(({ message }) => message).join(" ");
  };

  /** Takes the files of a drop or a paste; text goes where it always goes. */
  const take = (event: Event, files: FileList | undefined): void => {
    if (!files || files.length === 0) return;
    event.preventDefault();
    if (refusal === "") void attach(files);
    else isRefused.value = true;
  };

  return {
    /** Why the last files were not added; empty if they were. */
    problem: isRefused.value && refusal !== "" ? refusal : problem.value,
    forgetProblem(): void {
      isRefused.value = false;
      problem.value = "";
    },
    isReading: reading.value > 0,
    attach: (files: Iterable<File>): void => void attach(files),
    /** Event handlers of the element that takes drops and pastes. */
    handlers: {
      onDragOver(event: DragEvent): void {
        if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
      },
      onDrop: (event: DragEvent): void => take(event, event.dataTransfer?.files),
      onPaste(event: ClipboardEvent): void {
        if (!hasFormattedText(event.clipboardData)) take(event, event.clipboardData?.files);
      },
    },
  };
}

/** Office programs copy formatted text and a picture of it. A file copied on macOS has its name as plain text only. */
function hasFormattedText(data: DataTransfer | null): boolean {
  const types = data?.types ?? [];
  return types.includes("text/plain") && (types.includes("text/html") || types.includes("text/rtf"));
}
