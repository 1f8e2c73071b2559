/** One reply to one prompt of a generation. */

import type { ChatModelRecord } from "../../catalog/model-record.ts";
import type {
  ChatEngine,
  ChatModelInfo,
  EngineStep,
  EngineUsage,
  GenerateRequest,
} from "../../engine-api/chat-engine.ts";
import { isLoss, lostRepeatedly } from "../../engine-api/engine-error.ts";
import { randomStream } from "../../engines/chat/random-stream.ts";
import { generateWithAbortPolicy } from "../../engines/scheduling/generate-with-abort-policy.ts";
import type { Turn } from "../../engines/scheduling/model-queue.ts";
import type { EngineSupervisor } from "../../engines/scheduling/supervisor.ts";
import { SeenReply } from "../../prompt/seen-reply.ts";
import type { GenerationPlan, PreparedPrompt, PromptRequest } from "../prepare.ts";
import { modelDefaults, withDefaults } from "../sampling-defaults.ts";
import type { PromptScores } from "./prompt-scores.ts";
import type { ChoiceEvent } from "./sequential-choices.ts";

export interface ChoiceRequest extends PromptRequest {
  model: PromptRequest["model"] & Pick<ChatModelRecord, "samplingDefaults" | "recommendedSampling">;
  /** As in {@link GenerateRequest}. */
  topLogprobs?: number;
  /** Asks for the log probabilities of the prompts' tokens, and receives them. */
  promptScores?: PromptScores;
  /** As in {@link GenerateRequest}. */
  cacheScope: string;
  /** Number of replies to each prompt: choice `prompt * choices + reply`. */
  choices: number;
  /** The reply is delivered only once complete, so a lost engine is retried at any point. */
  isBuffered?: boolean;
}

interface ChoiceRun {
  choice: number;
  turn: Turn;
  engines: EngineSupervisor;
  signal: AbortSignal;
}

/** The events of one choice, its last included. If the engine is lost before any of them, it is repeated once, alone. */
export async function* runChoice(
  request: ChoiceRequest,
  prepared: PreparedPrompt,
  run: ChoiceRun,
): AsyncGenerator<ChoiceEvent, void> {
  const { choice, turn, engines, signal } = run;
  // Only the log probabilities of the prompt were wanted, which the first reply to it has computed.
  if (request.sampling.maxTokens === 0 && !request.promptScores?.isNeededFor(choice)) {
    yield { type: "finish", choice, reason: "length", usage: ofPromptAlone(prepared.promptTokens) };
    return;
  }
  const randomState = randomStream(request.sampling.seed, choice % request.choices);
  for (let losses = 0; ; ) {
    let hasYielded = false;
    try {
      // Loads a new engine if the previous one died while the request was queued.
      const engine = await engines.engine(request.model, signal);
      request.onEngine?.(engine.info);
      const reply = attemptChoice(request, prepared, run, engine, randomState);
      for await (const event of request.isBuffered ? await buffered(reply) : reply) {
        hasYielded = true;
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted || hasYielded || !isLoss(error)) throw error;
      if (++losses === 2) throw lostRepeatedly(error);
      // Any request that ran when the engine was lost may be the cause: each is repeated alone.
      await turn.beAlone(signal);
    }
  }
}

function ofPromptAlone(promptTokens: number): EngineUsage {
  return { promptTokens, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
}

/** One attempt at a choice. */
function attemptChoice(
  request: ChoiceRequest,
  prepared: PreparedPrompt,
  { choice, turn, engines, signal }: ChoiceRun,
  engine: ChatEngine,
  randomState: bigint,
): AsyncGenerator<ChoiceEvent, void> {
  const generation = {
    ...toEngineRequest(request, prepared, engine.info, choice),
    randomState,
    rank: turn.rank,
  };
  const steps = generateWithAbortPolicy(engine, generation, signal, {
    promptTokens: prepared.promptTokens,
    pace: engines.pace(request.model.id),
    clock: engines.clock,
  });
  return choiceEvents(steps, choice, request, prepared.plan);
}

function toEngineRequest(
  { model, sampling: requested, cacheScope, topLogprobs, promptScores }: ChoiceRequest,
  { plan, promptTokens }: PreparedPrompt,
  info: ChatModelInfo,
  choice: number,
): Omit<GenerateRequest, "randomState" | "rank"> {
  const { prompt, continuesPrompt = false, images, reader, constraint } = plan;
  const sampling = withDefaults(requested, modelDefaults(model, info));
  // Engines may exceed the context window, by a token or by up to a block of the KV cache.
  const { maxTokens = info.contextWindow - promptTokens } = sampling;
  return {
    prompt,
    continuesPrompt,
    cacheScope,
    ...(images ? { images } : {}),
    reader,
    ...(constraint ? { constraint } : {}),
    sampling: { ...sampling, maxTokens },
    ...(topLogprobs === undefined ? {} : { topLogprobs, reportsAll: !!promptScores }),
    ...(promptScores?.isNeededFor(choice) ? { promptLogprobs: promptScores.top } : {}),
  };
}

/** Reports the prompt's tokens and the raw reply to the request's callbacks; the rest becomes events. */
async function* choiceEvents(
  steps: AsyncIterable<EngineStep>,
  choice: number,
  { promptScores }: ChoiceRequest,
  { prompt, onReply, customCalls }: GenerationPlan,
): AsyncGenerator<ChoiceEvent, void> {
  const seen = new SeenReply();
  const custom = customCalls?.();
  let calledTools = false;
  for await (const step of steps) {
    const { usage } = step;
    if (step.type === "prompt") {
      promptScores?.take(choice, step.tokens);
    } else if (step.type === "reply") {
      for (const event of step.events) {
        seen.see(event);
        calledTools ||= event.type === "tool-call-end";
      }
      const events = custom ? step.events.flatMap((event) => custom.convert(event)) : step.events;
      yield { type: "reply", choice, events, logprobs: step.logprobs, usage };
    } else {
      if (step.raw !== undefined && typeof prompt === "string") onReply?.({ prompt, seen, raw: step.raw });
      if (step.reason === "abort") yield { type: "abort", choice, usage };
      else {
        const reason = step.reason === "stop" && calledTools ? "tool_calls" : step.reason;
        yield { type: "finish", choice, reason, usage };
      }
    }
  }
}

/** Buffers all events, so that a failed attempt delivers nothing. */
async function buffered(events: AsyncIterable<ChoiceEvent>): Promise<ChoiceEvent[]> {
  const all: ChoiceEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
