import type { PromptToken, TokenLogprob } from "../../engine-api/chat-engine.ts";
import type { PromptScores } from "../../generation/choices/prompt-scores.ts";
import type { GenerationEvent } from "../../generation/events.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import { collectEvents } from "../text/collect-events.ts";
import type { CompletionParams } from "./params.ts";
import { echoedLogprobs, promptOffsets, vllmPromptLogprobs } from "./prompt-scores.ts";
import type { FinishedChoice } from "./serialize.ts";
import { TokenOffsets } from "./token-offsets.ts";

interface Candidate extends FinishedChoice {
  scores: TokenLogprob[];
}

/** What the choices of a response say about their prompts. */
interface PromptTexts {
  /** Of each prompt, for `echo` and `logprobs`. */
  texts: readonly string[];
  /** If log probabilities of prompts were requested. */
  scores: Pick<PromptScores, "of"> | undefined;
}

/**
 * Collects all replies and keeps, for each prompt, the `n` likeliest of `best_of`.
 *
 * @throws as {@link collectEvents}
 */
export async function collectCompletions(
  events: AsyncIterable<GenerationEvent>,
  params: CompletionParams,
  { texts, scores }: PromptTexts,
): Promise<{ choices: FinishedChoice[]; counts: TokenCounts }> {
  const candidates: Candidate[] = [];
  const counts = await collectEvents(events, (event) => {
    candidates[event.choice] ??= { ...EMPTY, scores: [] };
    const candidate = candidates[event.choice]!;
    if (event.type === "reply") {
      candidate.text += event.events.map((one) => (one.type === "text" ? one.text : "")).join("");
      candidate.scores.push(...event.logprobs);
    } else candidate.finishReason = event.reason;
  });
  const choices = params.prompts.flatMap((_, at) => {
    const start = at * params.bestOf;
    const kept = likeliest(candidates.slice(start, start + params.bestOf), params.choices);
    const finish = finisher(params, texts[at] ?? "", scores?.of(start));
    return kept.map((one, index) => finish(one, at * params.choices + index));
  });
  return { choices, counts };
}

/** Returns what makes a choice of a reply to this prompt. */
function finisher(
  { echo, logprobs, promptLogprobs }: CompletionParams,
  prompt: string,
  scored: readonly PromptToken[] | undefined,
): (one: Candidate, index: number) => FinishedChoice {
  const echoed = echo && scored && logprobs !== undefined ? echoedLogprobs(scored, logprobs) : [];
  const offsets = echoed.length > 0 ? promptOffsets(scored!, prompt) : [];
  return (one, index) => ({
    index,
    text: echo ? prompt + one.text : one.text,
    logprobs: logprobs === undefined ? undefined : [...echoed, ...one.scores],
    offsets: [...offsets, ...new TokenOffsets(prompt.length).next(one.scores)],
    finishReason: one.finishReason,
    ...(promptLogprobs === undefined || !scored
      ? {}
      : { promptLogprobs: vllmPromptLogprobs(scored, promptLogprobs) }),
  });
}

const EMPTY: Omit<Candidate, "scores"> = {
  index: 0,
  text: "",
  logprobs: undefined,
  offsets: [],
  finishReason: "stop",
};

/** "The one with the highest log probability per token" (OpenAI reference, `best_of`). */
function likeliest(candidates: readonly Candidate[], count: number): Candidate[] {
  if (candidates.length <= count) return [...candidates];
  // A reply without tokens comes last.
  const mean = ({ scores }: Candidate): number =>
    scores.length === 0
      ? -Number.MAX_VALUE
      : scores.reduce((sum, { logprob }) => sum + logprob, 0) / scores.length;
  return [...candidates].sort((a, b) => mean(b) - mean(a)).slice(0, count);
}
