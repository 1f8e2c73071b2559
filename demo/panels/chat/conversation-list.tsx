import { useSignal } from "@preact/signals";
import { keepConversations } from "../../store/keep-conversations.ts";
import { closeMenu } from "../../store/navigation.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import {
  conversations,
  copyNote,
  current,
  keepingProblem,
  openConversation,
  removeConversation,
  startConversation,
} from "./store.ts";

/** Thousands of rows would be slow to draw again. */
const PAGE_LENGTH = 200;

/** List of conversations in the menu. */
export function ConversationList() {
  const all = conversations.value;
  const length = useSignal(PAGE_LENGTH);
  return (
    <section class="conversations" aria-label="Conversations" tabIndex={-1}>
      <button
        type="button"
        class="button small"
        onClick={() => {
          startConversation();
          closeMenu();
        }}
      >
        <Icon name="plus" />
        New chat
      </button>
      <ul>
        {all.slice(0, length.value).map(({ id, title }) => (
          <li key={id} class={id === current.value.id ? "shown" : ""}>
            <button
              type="button"
              class="conversation"
              aria-current={id === current.value.id}
              onClick={() => {
                openConversation(id);
                closeMenu();
              }}
            >
              {title}
            </button>
            <ConfirmButton label={`Delete ${title}`} onConfirm={() => removeConversation(id)} />
          </li>
        ))}
      </ul>
      {all.length > length.value ? (
        <MoreButton
          what="conversations"
          onMore={() => {
            length.value += PAGE_LENGTH;
          }}
        />
      ) : null}
      <p class="hint" aria-live="polite">
        {copyNote.value ||
          (keepConversations.value === "yes" && keepingProblem.value === ""
            ? "Stored on this device only."
            : "Kept until this page is closed.")}
      </p>
    </section>
  );
}
