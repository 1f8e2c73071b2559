/** The one core under every endpoint that makes text: prompt → queue → engine → typed events. */

import { abortable } from "../engines/abortable.ts";
import { attendedGenerate } from "../engines/attended-generate.ts";
import { EngineError } from "../engines/engine-error.ts";
import type { Priority } from "../engines/model-queue.ts";
import type { EngineSupervisor, LoadableModel } from "../engines/supervisor.ts";
import type { ChatEngine, ChatModelFacts, EngineUsage, GenerateRequest } from "../engines/types.ts";
import type { TokenCounts } from "../metering/meter.ts";
import { type FinishReason, type GenerationEvent, NO_TOKENS } from "./events.ts";

export interface Generation {
  model: LoadableModel;
  /** The prompt, once it is known what the model wants. */
  prompt: (facts: ChatModelFacts) => string | readonly number[];
  /** Which parameter holds the prompt: named when it is too long. */
  promptParam: "messages" | "prompt" | "input";
  request: Omit<GenerateRequest, "prompt">;
  /** How many replies to make from the one prompt. */
  choices: number;
  /** @default "interactive" */
  priority?: Priority;
  /** Called with each reply that ended by itself, as the model wrote it. */
  onReply?: (prompt: string, raw: string) => void;
}

/**
 * Runs one generation. The model is loaded if need be, the prompt is counted before it queues, and the queue's
 * turn is held until the engine is free again. An abort while it runs ends with `finish`, so that the counts
 * are exact; an abort before that throws the signal's reason.
 *
 * @throws {EngineError}
 */
export async function* generate(
  generation: Generation,
  engines: EngineSupervisor,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent, void> {
  const { model } = generation;
  const first = await abortable(engines.engine(model), signal);
  const prompt = generation.prompt(first.facts);
  const promptTokens = await requireRoom(prompt, generation, first);
  requireVocabulary(generation, prompt, first.facts);
  if (generation.request.sampling.maxTokens === 0) return yield* nothing(generation, promptTokens);
  const turn = await engines.queue(model.id).enter(signal, generation.priority);
  let counts = NO_TOKENS;
  try {
    for (let choice = 0; choice < generation.choices; choice++) {
      // The engine may have died while the request waited: then this loads the next one.
      const engine = await abortable(engines.engine(model), signal);
      const request = { ...generation.request, prompt, sampling: seeded(generation, choice) };
      const pace = engines.pace(model.id);
      const base = counts;
      let calledTools = false;
      for await (const step of attendedGenerate(engine, request, promptTokens, pace, engines.clock, signal)) {
        counts = add(base, step.usage, choice);
        if (step.type === "reply") {
          calledTools ||= step.events.some((event) => event.type === "tool-call-end");
          yield { type: "reply", choice, events: step.events, logprobs: step.logprobs, counts };
          continue;
        }
        if (step.raw !== undefined && typeof prompt === "string") generation.onReply?.(prompt, step.raw);
        const reason: FinishReason = step.reason === "stop" && calledTools ? "tool_calls" : step.reason;
        yield { type: "finish", choice, reason, counts };
        if (reason === "abort") return;
      }
    }
  } catch (error) {
    // An engine that was replaced because of this abort did what was wanted of it.
    if (signal.aborted && counts !== NO_TOKENS) {
      return yield { type: "finish", choice: 0, reason: "abort", counts };
    }
    throw error;
  } finally {
    turn.release();
  }
}

/** Nothing was to be generated: the prompt is only counted. */
function* nothing({ choices }: Generation, promptTokens: number): Generator<GenerationEvent, void> {
  const counts = { ...NO_TOKENS, inputTokens: promptTokens };
  for (let choice = 0; choice < choices; choice++) yield { type: "finish", choice, reason: "length", counts };
}

/** @throws {EngineError} `invalid_request` for a token id that the model does not have */
function requireVocabulary(
  { request, promptParam }: Generation,
  prompt: string | readonly number[],
  { vocabularySize }: ChatModelFacts,
): void {
  const refuse = (id: number, param: string): never => {
    const message = `Invalid '${param}': token ${id} is not in the model's vocabulary of ${vocabularySize} tokens.`;
    throw new EngineError("invalid_request", message, { param });
  };
  const known = (id: number): boolean => id < vocabularySize;
  const biased = Object.keys(request.sampling.logitBias)
    .map(Number)
    .find((id) => !known(id));
  if (biased !== undefined) refuse(biased, "logit_bias");
  if (typeof prompt === "string") return;
  const unknown = prompt.find((id) => !known(id));
  if (unknown !== undefined) refuse(unknown, promptParam);
}

/** Each choice of a seeded request is another reply, and each the same one again next time. */
function seeded({ request }: Generation, choice: number): GenerateRequest["sampling"] {
  const { seed } = request.sampling;
  return seed === undefined ? request.sampling : { ...request.sampling, seed: seed + choice };
}

/** The prompt is counted once, however many replies are made from it. */
function add(base: TokenCounts, usage: EngineUsage, choice: number): TokenCounts {
  return {
    inputTokens: usage.promptTokens,
    cachedTokens: choice === 0 ? usage.cachedTokens : base.cachedTokens,
    outputTokens: base.outputTokens + usage.completionTokens,
    reasoningTokens: base.reasoningTokens + usage.reasoningTokens,
  };
}

/** @throws {EngineError} `context_length_exceeded`, worded as OpenAI does; `invalid_request` for no tokens */
async function requireRoom(
  prompt: string | readonly number[],
  { request, promptParam }: Generation,
  engine: ChatEngine,
): Promise<number> {
  const { contextWindow } = engine.facts;
  const { maxTokens } = request.sampling;
  const promptTokens = await engine.countTokens(prompt);
  // A model that puts nothing in front of a prompt has nothing to go on from.
  if (promptTokens === 0) {
    throw new EngineError("invalid_request", `Invalid '${promptParam}': it is empty.`, {
      param: promptParam,
    });
  }
  const wanted = promptTokens + (maxTokens ?? 1);
  if (wanted <= contextWindow) return promptTokens;
  const parts =
    maxTokens === undefined
      ? `your ${promptParam} resulted in ${promptTokens} tokens`
      : `you requested ${wanted} tokens (${promptTokens} in the ${promptParam}, ${maxTokens} in the completion)`;
  throw new EngineError(
    "context_length_exceeded",
    `This model's maximum context length is ${contextWindow} tokens. However, ${parts}. Please reduce the length of the ${promptParam} or completion.`,
    { param: promptParam },
  );
}
