/** Generates a complete reply: rounds of model output and tool calls. */

import type OpenAI from "openai";
import { runTool } from "../tools/tools.ts";
import type { Message, Reply, ReplyStats } from "./conversation.ts";
import { toRequest } from "./requests.ts";
import type { ChatSettings } from "./settings.ts";
import { type RoundReport, streamRound } from "./stream-round.ts";

/** Limits rounds, since a small model may call tools endlessly. */
const MAX_ROUNDS = 6;

interface ReplyJob {
  settings: ChatSettings;
  history: readonly Message[];
  /** The empty reply to complete. */
  reply: Reply;
  /** A stop keeps the partial reply. */
  signal: AbortSignal;
  /** Gets each update. */
  onChange: (reply: Reply) => void;
}

/** @throws the SDK's error, or that of {@link toRequest} */
export async function writeReply(
  openai: OpenAI,
  { settings, history, reply, signal, onChange }: ReplyJob,
): Promise<Reply> {
  const startedAtMs = performance.now();
  const reports: RoundReport[] = [];
  let current = reply;
  while (reports.length < MAX_ROUNDS) {
    const { rounds } = current;
    const report = await streamRound(
      openai,
      toRequest(settings, reply.model, [...history, current], rounds.length),
      signal,
      (round) => onChange({ ...current, rounds: [...rounds, round] }),
    );
    reports.push(report);
    const { round, finishReason } = report;
    const mustRun = finishReason === "tool_calls" && !signal.aborted;
    const calls = mustRun
      ? round.calls.map((call) => ({ ...call, ...runTool(call.name, call.arguments) }))
      : [];
    current = {
      ...current,
      rounds: [...rounds, { ...round, calls: mustRun ? calls : round.calls }],
      isCut: finishReason === "length",
    };
    onChange(current);
    if (!mustRun) break;
  }
  return { ...current, state: signal.aborted ? "stopped" : "done", stats: toStats(reports, startedAtMs) };
}

/** Counts chunks if a stopped stream reported no usage. */
function toStats(reports: readonly RoundReport[], startedAtMs: number): ReplyStats {
  const tokens = reports.map((report) => report.usage?.completion_tokens ?? report.pieces);
  const decodeMs = reports.map(({ firstPieceAtMs, lastPieceAtMs }) => lastPieceAtMs - firstPieceAtMs);
  // Excludes the first token of each round, whose time is prefill.
  const timed = tokens.map((number) => Math.max(0, number - 1));
  const seconds = sum(decodeMs) / 1000;
  const last = reports.at(-1)?.usage;
  return {
    promptTokens: last?.prompt_tokens ?? 0,
    cachedTokens: last?.prompt_tokens_details?.cached_tokens ?? 0,
    completionTokens: sum(tokens),
    tokensPerSecond: seconds > 0 ? sum(timed) / seconds : 0,
    firstTokenAfterMs: (reports[0]?.firstPieceAtMs || performance.now()) - startedAtMs,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
