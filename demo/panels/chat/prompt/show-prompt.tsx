import { useSignal } from "@preact/signals";
import { Dialog } from "../../../ui/dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { LiveConversation } from "../conversation/live-conversation.ts";
import { PromptView } from "./prompt-view.tsx";
import "./prompt.css";

interface ShowPromptProps {
  conversation: LiveConversation;
  /** Empty if there is no chat model. */
  model: string;
}

/** Button that shows the conversation as the model reads it. */
export function ShowPrompt({ conversation, model }: ShowPromptProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="button small"
        disabled={model === ""}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <Icon name="prompt" />
        Show prompt
      </button>
      {isOpen.value ? (
        <Dialog
          title="Prompt"
          onClose={() => {
            isOpen.value = false;
          }}
        >
          <PromptView conversation={conversation} model={model} />
        </Dialog>
      ) : null}
    </>
  );
}
