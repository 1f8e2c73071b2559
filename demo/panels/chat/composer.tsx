import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../ui/icon.tsx";
import { isComposing, isFreeEscape } from "../../ui/keys.ts";
import { readImage } from "./attachments.ts";
import type { Draft } from "./live-conversation.ts";

interface ComposerProps {
  draft: Draft;
  model: string;
  takesImages: boolean;
  isBusy: boolean;
  disabled: boolean;
  onSend: (text: string, images: string[]) => void;
  onStop: () => void;
}

const MAX_ROWS = 8;

/** Message input: Enter sends, Escape stops. Images are chosen, dropped or pasted. */
export function Composer({ draft, model, takesImages, isBusy, disabled, onSend, onStop }: ComposerProps) {
  const { text, images } = draft;
  const problem = useSignal("");
  /** Files that are being read. */
  const reading = useSignal(0);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), [disabled]);
  // Restore focus when the focused button is replaced; otherwise it moves to the top of the page.
  useEffect(() => {
    if (document.activeElement === document.body) field.current?.focus();
  }, [isBusy]);
  useEffect(() => {
    const stop = (event: KeyboardEvent): void => {
      // In a dialog, Escape closes the dialog.
      if (isFreeEscape(event) && !document.querySelector("dialog[open]")) onStop();
    };
    document.addEventListener("keydown", stop);
    return () => document.removeEventListener("keydown", stop);
  }, [onStop]);

  // Attached before another model was chosen.
  const cannotTake = images.value.length > 0 && !takesImages;
  const isEmpty = text.value.trim() === "" && images.value.length === 0;
  const canSend = !disabled && !isBusy && !isEmpty && !cannotTake && reading.value === 0;
  const send = (): void => {
    if (!canSend) return;
    onSend(text.value.trim(), images.value);
    text.value = "";
    images.value = [];
    problem.value = "";
  };
  const attach = async (files: Iterable<File>): Promise<void> => {
    const chosen = [...files];
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
    if (takesImages) void attach(files);
    else problem.value = `${model} takes no images: choose a model that does.`;
  };

  return (
    <form
      class="composer"
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
      }}
      onDrop={(event) => take(event, event.dataTransfer?.files)}
      onPaste={(event) => {
        if (!hasFormattedText(event.clipboardData)) take(event, event.clipboardData?.files);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {images.value.length > 0 ? (
        <ul class="attachments" aria-label="Attachments">
          {images.value.map((url, at) => (
            <li key={at}>
              <img src={url} alt={`Attachment ${at + 1}`} />
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove attachment ${at + 1}`}
                onClick={() => {
                  images.value = images.value.filter((_, index) => index !== at);
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <div class="composer-row">
        {takesImages ? (
          <label class="icon-button attach" title="Attach images">
            <Icon name="image" />
            <input
              class="hidden"
              type="file"
              accept="image/*"
              multiple
              aria-label="Attach images"
              onChange={({ currentTarget: input }) => {
                void attach(input.files ?? []);
                // Else choosing the same file again would not be a change.
                input.value = "";
              }}
            />
          </label>
        ) : null}
        <textarea
          ref={field}
          aria-label="Your message"
          dir="auto"
          placeholder={`Message ${model}`}
          rows={Math.min(MAX_ROWS, text.value.split("\n").length)}
          autocomplete="off"
          disabled={disabled}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            // While an input method composes, Enter picks a candidate.
            if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
            event.preventDefault();
            send();
          }}
        />
        {isBusy ? (
          <button type="button" class="send" aria-label="Stop" title="Stop" onClick={onStop}>
            <Icon name="stop" />
          </button>
        ) : (
          <button type="submit" class="send" aria-label="Send" title="Send" disabled={!canSend}>
            <Icon name="send" />
          </button>
        )}
      </div>
      {cannotTake ? (
        <p class="hint wrong">{model} takes no images: remove the attachments, or choose another model.</p>
      ) : null}
      {problem.value === "" ? null : <p class="hint wrong">{problem.value}</p>}
    </form>
  );
}

/** Office programs copy formatted text and a picture of it. A file copied on macOS has its name as plain text only. */
function hasFormattedText(data: DataTransfer | null): boolean {
  const types = data?.types ?? [];
  return types.includes("text/plain") && (types.includes("text/html") || types.includes("text/rtf"));
}
