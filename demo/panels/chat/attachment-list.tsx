import type { Signal } from "@preact/signals";
import { Icon } from "../../ui/icon.tsx";

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
    <label class="icon-button attach" title="Attach images">
      <Icon name="image" />
      <input
        class="hidden"
        type="file"
        accept="image/*"
        multiple
        aria-label="Attach images"
        onChange={({ currentTarget: input }) => {
          onChoose(input.files ?? []);
          // Else choosing the same file again would not be a change.
          input.value = "";
        }}
      />
    </label>
  );
}
