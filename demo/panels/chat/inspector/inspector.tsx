import { useEffect, useRef } from "preact/hooks";
import { Select, TextArea } from "../../../ui/fields.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { isFreeEscape } from "../../../ui/keys.ts";
import type { LiveConversation } from "../conversation/live-conversation.ts";
import type { ChatSettings, FormatType } from "../conversation/settings.ts";
import { isInspectorOpen } from "../store.ts";
import { SamplingFields } from "./sampling-fields.tsx";
import { ToolFields } from "./tool-fields.tsx";

const FORMATS = [
  ["text", "Text"],
  ["json_object", "JSON object"],
  ["json_schema", "JSON schema"],
] as const satisfies readonly (readonly [FormatType, string])[];

const EFFORTS = [
  ["default", "Model's default"],
  ["none", "Off"],
  ["low", "Low"],
  ["medium", "Medium"],
  ["high", "High"],
] as const satisfies readonly (readonly [ChatSettings["reasoning"], string])[];

/** As in `../chat.css`. */
const COVERS_THE_CHAT = "(max-width: 1080px)";

function close(): void {
  isInspectorOpen.value = "no";
  document.querySelector<HTMLElement>(".chat-actions [aria-pressed]")?.focus();
}

/** Request parameters of the shown conversation. Where they cover the chat, they take the focus and Escape closes them. */
export function Inspector({ conversation }: { conversation: LiveConversation }) {
  const settings = conversation.settings.value;
  const change = (part: Partial<ChatSettings>): void => conversation.change(part);
  const closeButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (matchMedia(COVERS_THE_CHAT).matches) closeButton.current?.focus();
  }, []);
  return (
    <aside
      class="inspector"
      aria-label="Parameters"
      onKeyDown={(event) => {
        if (!isFreeEscape(event) || !matchMedia(COVERS_THE_CHAT).matches) return;
        // Else it would also stop a reply in progress.
        event.preventDefault();
        close();
      }}
    >
      <header class="card-head">
        <h2>Parameters</h2>
        <button
          ref={closeButton}
          type="button"
          class="icon-button"
          aria-label="Close parameters"
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </header>
      <TextArea
        label="System prompt"
        placeholder="You are a helpful assistant."
        value={settings.system}
        rows={3}
        onChange={(system) => change({ system })}
      />
      <ToolFields settings={settings} onChange={change} />
      <Select
        label="Answer format"
        value={settings.format}
        options={FORMATS}
        onChange={(format) => change({ format })}
      />
      {settings.format === "json_schema" ? (
        <TextArea
          label="JSON schema"
          code
          rows={9}
          value={settings.schema}
          onChange={(schema) => change({ schema })}
          hint="Enforced token by token."
        />
      ) : null}
      <Select
        label="Thinking"
        value={settings.reasoning}
        options={EFFORTS}
        onChange={(reasoning) => change({ reasoning })}
      />
      <SamplingFields settings={settings} onChange={change} />
    </aside>
  );
}
