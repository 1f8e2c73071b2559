import { count, formatDuration } from "../../../format/format.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Failure } from "../../../ui/states.tsx";
import type { Reply, ReplyStats, Round } from "../conversation/conversation.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { ToolCall } from "./tool-call.tsx";

interface ReplyViewProps {
  reply: Reply;
  /** Only of the last message, since it would delete later ones, and not while a reply is in progress. */
  onRetry: (() => void) | undefined;
}

/** A reply: collapsed reasoning, tool calls with results, text and statistics. */
export function ReplyView({ reply, onRetry }: ReplyViewProps) {
  const { rounds, state, stats } = reply;
  const text = rounds
    .map((round) => round.text)
    .join("\n\n")
    .trim();
  const isEmpty = text === "" && rounds.every((round) => round.calls.length === 0 && round.reasoning === "");
  const summary = summaryOf(reply, isEmpty);
  return (
    <article class="message assistant" aria-label={`Reply of ${reply.model}`} aria-busy={state === "writing"}>
      <p class="author breakable">{reply.model}</p>
      {rounds.map((round, at) => (
        <RoundView key={at} round={round} isThinking={state === "writing" && at === rounds.length - 1} />
      ))}
      {state === "writing" && isEmpty ? <Waiting /> : null}
      {state === "done" && isEmpty ? <p class="soft">The reply is empty.</p> : null}
      {state === "stopped" && stats && isEmpty ? <p class="soft">Stopped before the first token.</p> : null}
      {state === "failed" ? <Failure reason={reply.reason ?? ""} onRetry={onRetry} /> : null}
      {state === "done" || state === "stopped" ? (
        <footer class="message-foot">
          {summary === "" ? null : <p class="stats">{summary}</p>}
          <span class="message-actions">
            {text === "" ? null : <CopyButton text={text} what="reply" />}
            {onRetry ? (
              <button type="button" class="icon-button" aria-label="Retry" title="Retry" onClick={onRetry}>
                <Icon name="retry" />
              </button>
            ) : null}
          </span>
        </footer>
      ) : null}
    </article>
  );
}

function RoundView({ round, isThinking }: { round: Round; isThinking: boolean }) {
  return (
    <>
      {round.reasoning === "" ? null : (
        <details class="fold">
          <summary>
            <Icon name="bulb" />
            {isThinking && round.text === "" ? "Thinking …" : "Thoughts"}
          </summary>
          <p class="plain">{round.reasoning.trim()}</p>
        </details>
      )}
      {round.text.trim() === "" ? null : <Markdown text={round.text} />}
      {round.calls.map((call, at) => (
        <ToolCall key={at} call={call} />
      ))}
    </>
  );
}

function Waiting() {
  return (
    <p class="waiting">
      <span class="hidden">Writing …</span>
      <i />
      <i />
      <i />
    </p>
  );
}

/** Empty if there is nothing to add to the text. */
function summaryOf(reply: Reply, isEmpty: boolean): string {
  const { state, stats } = reply;
  if (stats) return state === "stopped" && isEmpty ? "" : describe(stats, reply);
  // Of a reply without its end, as it was stored last.
  return state === "stopped" ? "Incomplete: interrupted, or still in progress in another tab." : "";
}

function describe(stats: ReplyStats, reply: Reply): string {
  const parts = [count(stats.completionTokens, "token")];
  if (stats.tokensPerSecond > 0) parts.push(`${stats.tokensPerSecond.toFixed(1)} tokens/s`);
  if (stats.completionTokens > 0) parts.push(`first after ${formatDuration(stats.firstTokenAfterMs)}`);
  if (stats.promptTokens > 0) {
    const cached = stats.cachedTokens > 0 ? `, ${stats.cachedTokens.toLocaleString("en")} cached` : "";
    parts.push(`${stats.promptTokens.toLocaleString("en")} in the prompt${cached}`);
  }
  if (reply.isCut) parts.push("stopped at the token limit");
  if (reply.state === "stopped") parts.push("stopped");
  return parts.join(" · ");
}
