import { useEffect, useRef } from "preact/hooks";
import { isMenuOpen } from "../../../store/navigation.ts";
import { Icon } from "../../../ui/icon.tsx";
import { isComposing, isFreeEscape } from "../../../ui/keys.ts";
import type { Draft } from "../conversation/live-conversation.ts";
import { AttachButton, AttachmentList } from "./attachment-list.tsx";
import { useAttachments } from "./use-attachments.ts";

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

/** The keyboard on a touch screen has no Shift+Enter: Enter adds a line there; the button sends, and Ctrl or ⌘ with Enter. */
const addsLine = (event: KeyboardEvent): boolean =>
  event.shiftKey || (matchMedia("(hover: none)").matches && !event.ctrlKey && !event.metaKey);

/** Message input: Enter sends, Escape stops. Images are chosen, dropped or pasted. */
export function Composer({ draft, model, takesImages, isBusy, disabled, onSend, onStop }: ComposerProps) {
  const { text, images } = draft;
  const refusal = takesImages ? "" : `${model} takes no images: choose a model that does.`;
  const { problem, forgetProblem, isReading, attach, handlers } = useAttachments(images, refusal);
  const field = useFocusedField(disabled, isBusy);
  useEscape(onStop);
  // Attached before another model was chosen.
  const cannotTake = images.value.length > 0 && !takesImages;
  const isEmpty = text.value.trim() === "" && images.value.length === 0;
  const canSend = !disabled && !isBusy && !isEmpty && !cannotTake && !isReading;
  const send = (): void => {
    if (!canSend) return;
    onSend(text.value.trim(), images.value);
    text.value = "";
    images.value = [];
    forgetProblem();
  };

  return (
    <form
      class="composer"
      {...handlers}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <AttachmentList images={images} />
      <div class="composer-row">
        {takesImages ? <AttachButton onChoose={attach} /> : null}
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
            if (event.key !== "Enter" || isComposing(event) || addsLine(event)) return;
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
        <p class="hint wrong" role="alert">
          {model} takes no images: remove the attachments, or choose another model.
        </p>
      ) : null}
      {problem === "" ? null : (
        <p class="hint wrong" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

/** The message field has the focus at first and again when it is enabled, or when the focus was lost. */
function useFocusedField(disabled: boolean, isBusy: boolean) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // A menu that was opened meanwhile would close.
    if (!isMenuOpen.peek()) field.current?.focus();
  }, [disabled]);
  // The button that had the focus may have been replaced; the focus then moves to the top of the page.
  useEffect(() => {
    if (document.activeElement === document.body) field.current?.focus();
  }, [isBusy]);
  return field;
}

function useEscape(onEscape: () => void): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      // In a dialog, Escape closes the dialog.
      if (isFreeEscape(event) && !document.querySelector("dialog[open]")) onEscape();
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [onEscape]);
}
