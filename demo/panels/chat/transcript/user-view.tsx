import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { isFreeEscape } from "../../../ui/keys.ts";
import type { UserMessage } from "../conversation/conversation.ts";

interface UserViewProps {
  message: UserMessage;
  onEdit: (text: string) => void;
}

/** A user message as plain text, never markup; editable. */
export function UserView({ message, onEdit }: UserViewProps) {
  const isEditing = useSignal(false);
  const editButton = useRef<HTMLButtonElement>(null);
  if (isEditing.value) {
    return (
      <Editor
        text={message.text}
        onCancel={() => {
          isEditing.value = false;
          requestAnimationFrame(() => editButton.current?.focus());
        }}
        onSave={(text) => {
          isEditing.value = false;
          onEdit(text);
        }}
      />
    );
  }
  return (
    <article class="message user" aria-label="You said">
      {message.images.length === 0 ? null : (
        <div class="attached">
          {message.images.map((url, at) => (
            <img key={at} src={url} alt={`Attachment ${at + 1}`} />
          ))}
        </div>
      )}
      {message.text === "" ? null : <p class="plain">{message.text}</p>}
      <span class="message-actions">
        <CopyButton text={message.text} what="message" />
        <button
          ref={editButton}
          type="button"
          class="icon-button"
          aria-label="Edit"
          title="Edit"
          onClick={() => {
            isEditing.value = true;
          }}
        >
          <Icon name="edit" />
        </button>
      </span>
    </article>
  );
}

interface EditorProps {
  text: string;
  onSave: (text: string) => void;
  onCancel: () => void;
}

function Editor({ text, onSave, onCancel }: EditorProps) {
  const draft = useSignal(text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="message editor"
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.value.trim() !== "") onSave(draft.value.trim());
      }}
      onKeyDown={(event) => {
        if (!isFreeEscape(event)) return;
        // Else it would also stop a reply in progress.
        event.preventDefault();
        onCancel();
      }}
    >
      <textarea
        ref={field}
        aria-label="Message, edited"
        dir="auto"
        rows={3}
        value={draft.value}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
        }}
      />
      <p class="hint">All later messages are deleted.</p>
      <div class="row">
        <button type="submit" class="button primary small" disabled={draft.value.trim() === ""}>
          Send again
        </button>
        <button type="button" class="button small" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
