import { useEffect, useMemo } from "preact/hooks";
import { Resource } from "../../../store/loadable.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { DescriptionList } from "../../../ui/description-list.tsx";
import { LoadBar } from "../../../ui/progress.tsx";
import { ScrollArea } from "../../../ui/scroll-area.tsx";
import { Empty, WhenReady } from "../../../ui/states.tsx";
import type { LiveConversation } from "../conversation/live-conversation.ts";
import { type RenderedPrompt, renderPrompt } from "./render-prompt.ts";
import { toShownRequest } from "./shown-request.ts";

interface PromptViewProps {
  conversation: LiveConversation;
  model: string;
}

/** The prompt as of when the view opened. Closing it cancels the request. */
export function PromptView({ conversation, model }: PromptViewProps) {
  const { prompt, closed, isTyped } = useMemo(() => {
    const closed = new AbortController();
    const load = async (): Promise<RenderedPrompt | undefined> => {
      const request = toShownRequest(conversation, model);
      return request && renderPrompt(request, closed.signal);
    };
    return { prompt: new Resource(load), closed, isTyped: conversation.draft.text.peek().trim() !== "" };
  }, []);
  useEffect(() => {
    void prompt.refresh();
    return () => closed.abort();
  }, []);
  return (
    <div class="prompt">
      <LoadBar model={model} />
      <WhenReady of={prompt} what="the prompt">
        {(rendered) =>
          rendered === undefined ? (
            <Empty icon="prompt" title="No prompt yet">
              <p>Type a message to see its prompt.</p>
            </Empty>
          ) : (
            <>
              <p class="soft small-text">
                {isTyped ? "For the typed message" : "For the last reply"}, with the current model and
                parameters.
              </p>
              <PromptHead rendered={rendered} />
              <ScrollArea label="Text of the prompt">
                <pre class="prompt-text">{rendered.prompt}</pre>
              </ScrollArea>
            </>
          )
        }
      </WhenReady>
    </div>
  );
}

function PromptHead({ rendered }: { rendered: RenderedPrompt }) {
  const rows = [
    ["Model", rendered.model],
    ["Tokens", rendered.prompt_tokens.toLocaleString("en")],
    ["Tool format", rendered.tool_format],
    ["Reasoning format", rendered.reasoning_format],
  ] as const;
  return (
    <div class="prompt-head">
      <DescriptionList
        class="prompt-details"
        rows={rows.map(([term, value]) => [
          term,
          value === null ? "none" : <span class="mono">{value}</span>,
        ])}
      />
      <CopyButton text={rendered.prompt} what="prompt" labelled />
    </div>
  );
}
