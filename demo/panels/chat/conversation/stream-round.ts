/** Streams one request through the SDK, with timing and usage. */

import type OpenAI from "openai";
import type { Round, ToolRun } from "./conversation.ts";

/** OpenAI's API has no reasoning text; this field is that of vLLM and others. */
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { reasoning_content?: string | null };

export interface RoundReport {
  round: Round;
  finishReason: string;
  usage: OpenAI.CompletionUsage | undefined;
  /** Non-empty chunks; nearly always one token each. */
  pieces: number;
  /** `performance.now()` time; 0 if no chunk arrived. */
  firstPieceAtMs: number;
  lastPieceAtMs: number;
}

/**
 * Streams a reply; `onChange` gets the accumulated reply for each chunk. A stop keeps the partial reply.
 *
 * @throws the SDK's error, except for an abort
 */
export async function streamRound(
  openai: OpenAI,
  request: OpenAI.ChatCompletionCreateParamsStreaming,
  signal: AbortSignal,
  onChange: (round: Round) => void,
): Promise<RoundReport> {
  const report: RoundReport = {
    round: { reasoning: "", text: "", calls: [] },
    finishReason: "",
    usage: undefined,
    pieces: 0,
    firstPieceAtMs: 0,
    lastPieceAtMs: 0,
  };
  try {
    const stream = await openai.chat.completions.create(request, { signal });
    for await (const chunk of stream) {
      report.usage = chunk.usage ?? report.usage;
      const [choice] = chunk.choices;
      if (!choice) continue;
      report.finishReason = choice.finish_reason ?? report.finishReason;
      const next = withDelta(report.round, choice.delta);
      if (next === report.round) continue;
      report.round = next;
      report.pieces += 1;
      report.lastPieceAtMs = performance.now();
      report.firstPieceAtMs ||= report.lastPieceAtMs;
      onChange(next);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return report;
}

/** Applies a delta; returns the same object if nothing changed. */
function withDelta(round: Round, delta: Delta): Round {
  const { content, reasoning_content: reasoning, tool_calls: calls } = delta;
  if (!content && !reasoning && !calls?.length) return round;
  return {
    reasoning: round.reasoning + (reasoning ?? ""),
    text: round.text + (content ?? ""),
    calls: (calls ?? []).reduce(withCallDelta, round.calls),
  };
}

function withCallDelta(calls: ToolRun[], delta: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall): ToolRun[] {
  const known = calls[delta.index] ?? { id: "", name: "", arguments: "" };
  const next = [...calls];
  next[delta.index] = {
    id: delta.id ?? known.id,
    name: known.name + (delta.function?.name ?? ""),
    arguments: known.arguments + (delta.function?.arguments ?? ""),
  };
  return next;
}
