import { useEffect } from "preact/hooks";
import { formatBytes } from "../../format/format.ts";
import { isBoundToOrigin, policy } from "../../store/content-policy.ts";
import { fitOf } from "../../store/fit.ts";
import { chatModels, type Model, models, takesImages } from "../../store/models.ts";
import { addressOf } from "../../store/navigation.ts";
import { checkWebGPU, webgpu } from "../../store/webgpu.ts";
import { Icon } from "../../ui/icon.tsx";
import { LoadBar } from "../../ui/progress.tsx";
import { Empty, Note, WhenReady } from "../../ui/states.tsx";
import { followAddress } from "./address.ts";
import { Composer } from "./composer/composer.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { ShowPrompt } from "./prompt/show-prompt.tsx";
import { current, isInspectorOpen, keepingProblem } from "./store.ts";
import { Transcript } from "./transcript/transcript.tsx";
import "./chat.css";
import "./composer/composer.css";
import "./transcript/messages.css";

export { ConversationList as Sidebar } from "./conversation-list.tsx";

const SUGGESTIONS = ["Hello! Who are you?", "What does infetch do?", "What is 12 + 30?"];

export default function ChatPanel() {
  useEffect(() => {
    void models.refresh();
    void checkWebGPU();
    void policy.refresh();
    return followAddress();
  }, []);
  return (
    <WhenReady of={models} what="the models">
      {() => <Chat />}
    </WhenReady>
  );
}

function Chat() {
  const conversation = current.value;
  const wanted = conversation.settings.value.model;
  const chosen = chatModels.value.find((model) => model.id === wanted) ?? chatModels.value[0];
  const fit = chosen ? fitOf(chosen, webgpu.value) : undefined;
  const cannotRun = fit?.verdict === "impossible";
  const isOpen = isInspectorOpen.value === "yes";
  const model = chosen?.id ?? "";
  const isEmpty = conversation.messages.value.length === 0;
  const send = (text: string, images: string[] = []): void => conversation.send(text, images, model);
  return (
    <div class={isOpen ? "chat with-inspector" : "chat"}>
      <h1 class="hidden" tabIndex={-1}>
        Chat
      </h1>
      <header class="chat-head">
        <ModelChoice chosen={model} onChoose={(id) => conversation.change({ model: id })} />
        <div class="chat-actions">
          <ShowPrompt conversation={conversation} model={model} />
          <button
            type="button"
            class="button small"
            aria-pressed={isOpen}
            onClick={() => {
              isInspectorOpen.value = isOpen ? "no" : "yes";
            }}
          >
            <Icon name="sliders" />
            Parameters
          </button>
        </div>
      </header>
      <section class="chat-main" aria-label="Chat">
        <LoadBar model={model} />
        {keepingProblem.value === "" ? null : (
          <p class="hint wrong chat-problem" role="alert">
            {keepingProblem.value}
          </p>
        )}
        {cannotRun ? (
          <Obstacle model={model} reason={fit.words} />
        ) : isEmpty ? (
          <Welcome chosen={chosen} onSend={send} />
        ) : (
          <Transcript key={conversation} conversation={conversation} model={model} />
        )}
        <Composer
          key={conversation}
          draft={conversation.draft}
          model={model}
          takesImages={takesImages(model)}
          isBusy={conversation.running.value !== undefined}
          disabled={cannotRun || chosen === undefined}
          onSend={send}
          onStop={() => conversation.stop()}
        />
        <p class="chat-hint">
          <kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> adds a line, <kbd>Esc</kbd> stops.
        </p>
      </section>
      {isOpen ? <Inspector key={conversation} conversation={conversation} /> : null}
    </div>
  );
}

interface ModelChoiceProps {
  chosen: string;
  onChoose: (id: string) => void;
}

function ModelChoice({ chosen, onChoose }: ModelChoiceProps) {
  const fits = (model: Model): boolean => fitOf(model, webgpu.value).verdict !== "impossible";
  const groups = [
    ["On this device", chatModels.value.filter(fits)],
    ["Not on this device", chatModels.value.filter((model) => !fits(model))],
  ] as const;
  return (
    <select
      class="model-choice"
      aria-label="Model"
      value={chosen}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {groups.map(([label, members]) =>
        members.length === 0 ? null : (
          <optgroup key={label} label={label}>
            {members.map(({ id }) => (
              <option key={id} value={id} selected={id === chosen}>
                {id}
              </option>
            ))}
          </optgroup>
        ),
      )}
    </select>
  );
}

function Welcome({ chosen, onSend }: { chosen: Model | undefined; onSend: (text: string) => void }) {
  const memoryBytes = chosen?.infetch?.memory_bytes;
  return (
    <Empty icon="chat" title="Send a message">
      <p>
        Nothing you write leaves this page. The first message loads <b>{chosen?.id}</b>
        {chosen?.id.startsWith("infetch-tiny")
          ? ", a very small model that ships with the package."
          : memoryBytes
            ? `, downloaded once. It takes ${formatBytes(memoryBytes)} of memory.`
            : "."}
      </p>
      {memoryBytes && isBoundToOrigin.value ? (
        <Note icon="alert">
          <p>
            This page may fetch from its own origin only, so it cannot download the model.{" "}
            <a href={addressOf("models")}>Models</a> says how to allow it.
          </p>
        </Note>
      ) : null}
      {webgpu.value.state === "missing" ? (
        <Note icon="alert">
          <p>{webgpu.value.reason} Until then, the model runs on the CPU, more slowly.</p>
        </Note>
      ) : null}
      <div class="suggestions">
        {SUGGESTIONS.map((text) => (
          <button key={text} type="button" class="button small" onClick={() => onSend(text)}>
            {text}
          </button>
        ))}
      </div>
    </Empty>
  );
}

function Obstacle({ model, reason }: { model: string; reason: string }) {
  const { value } = webgpu;
  return (
    <Empty icon="alert" title={`${model} cannot run here`}>
      <p>
        {reason}. {value.state === "missing" ? value.reason : ""}
      </p>
      <p>
        Choose another model above, or see <a href={addressOf("models")}>which ones fit this device</a>.
      </p>
    </Empty>
  );
}
