import type { Signal } from "@preact/signals";
import { FileLabel } from "../../../ui/file-label.tsx";
import { Icon } from "../../../ui/icon.tsx";

/** The attached images, each with a button that removes it; nothing if there are none. */
export function AttachmentList({ images }: { images: Signal<string[]> }) {
  if (images.value.length === 0) return null;
  return (
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
  );
}

/** Chooses image files. */
export function AttachButton({ onChoose }: { onChoose: (files: Iterable<File>) => void }) {
  return (
    <FileLabel class="icon-button attach" title="Attach images" accept="image/*" multiple onChoose={onChoose}>
      <Icon name="image" />
    </FileLabel>
  );
}
