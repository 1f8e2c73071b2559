import { keepConversations } from "../../store/keep-conversations.ts";
import { closeMenu } from "../../store/navigation.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import {
  conversations,
  copyNote,
  current,
  keepingProblem,
  openConversation,
  removeConversation,
  startConversation,
} from "./store.ts";

/** List of conversations in the menu. */
export function ConversationList() {
  return (
    <section class="conversations" aria-label="Conversations">
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
        {conversations.value.map(({ id, title }) => (
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
      <p class="hint" aria-live="polite">
        {copyNote.value ||
          (keepConversations.value === "yes" && keepingProblem.value === ""
            ? "Stored on this device only."
            : "Kept until this page is closed.")}
      </p>
    </section>
  );
}
