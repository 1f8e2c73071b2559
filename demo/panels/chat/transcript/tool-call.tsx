import { Icon } from "../../../ui/icon.tsx";
import type { ToolRun } from "../conversation/conversation.ts";

/** A tool call: the model's arguments and the result. */
export function ToolCall({ call }: { call: ToolRun }) {
  const state = call.result === undefined ? "called" : call.failed ? "failed" : "answered";
  return (
    <details class="fold tool" open>
      <summary>
        <Icon name="tool" />
        <span class="mono breakable">{call.name}</span>
        <span class={`tag ${state === "failed" ? "bad" : state === "answered" ? "good" : ""}`}>{state}</span>
      </summary>
      <dl>
        <dt>Model</dt>
        <dd class="mono breakable">{call.arguments}</dd>
        {call.result === undefined ? null : (
          <>
            <dt>Page</dt>
            <dd class="mono breakable">{call.result}</dd>
          </>
        )}
      </dl>
    </details>
  );
}
