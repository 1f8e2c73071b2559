/** Shared core of all text endpoints: prompt → queue → engine → typed events. */

import type { ModelRecord } from "../catalog/model-record.ts";
import { EngineError, isLoss, lostAgain } from "../engines/api/engine-error.ts";
import type { ChatEngine, ReplyRank } from "../engines/api/types.ts";
import { randomStream } from "../engines/chat/random-stream.ts";
import { generateWithAbortPolicy } from "../engines/scheduling/generate-with-abort-policy.ts";
import type { Place, Turn } from "../engines/scheduling/model-queue.ts";
import type { EngineSupervisor } from "../engines/scheduling/supervisor.ts";
import { SeenReply } from "../prompt/reply-cache.ts";
import { NO_TOKENS } from "../usage/metering/meter.ts";
import { CustomCalls } from "./custom-calls.ts";
import type { FinishReason, GenerationEvent } from "./events.ts";
import { type Prepared, type PreparedRequest, prepare } from "./prepare.ts";
import { modelDefaults, withDefaults } from "./sampling-defaults.ts";
import { type ChoiceEvent, inTurn, sideBySide } from "./side-by-side.ts";
import { Totals } from "./totals.ts";

export interface Generation extends PreparedRequest {
  model: PreparedRequest["model"] & Pick<ModelRecord, "samplingDefaults" | "recommendedSampling">;
  /** As in {@link GenerateRequest}. */
  topLogprobs?: number;
  /** As in {@link GenerateRequest}. */
  cacheScope: string;
  /** Plans of the prompts after the first. */
  furtherPlans?: readonly PreparedRequest["plan"][];
  /** Names of the functions that stand for custom tools. */
  customTools?: ReadonlySet<string>;
  /** Number of replies to each prompt: choice `prompt * choices + reply`. */
  choices: number;
  /** Priority and order in the queue. */
  place?: Place;
  /** The reply is delivered only once complete, so a lost engine is retried at any point. */
  isBuffered?: boolean;
  /** Called with the exact length of all prompts before any computation; if it throws, the request fails. */
  onPrompt?: (promptTokens: number) => Promise<void>;
}

/**
 * Runs one generation. Loads the model if necessary and holds it in memory, counts the prompts before it is queued,
 * and holds its turn until the engine is free again. An abort while it runs yields `finish` with exact counts; an
 * earlier abort throws the signal's reason. If the engine dies before any output, retries once; the failed attempt
 * is not metered.
 *
 * @throws {EngineError}
 */
export async function* generate(
  generation: Generation,
  engines: EngineSupervisor,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent, void> {
  const { model } = generation;
  const hold = await engines.hold(model, signal);
  let turn: Turn | undefined;
  const totals = new Totals(generation.choices);
  try {
    const prepared = await prepareAll(generation, engines, signal);
    const promptTokens = prepared.reduce((sum, one) => sum + one.promptTokens, 0);
    await generation.onPrompt?.(promptTokens);
    const choices = prepared.length * generation.choices;
    if (generation.sampling.maxTokens === 0) return yield* countedOnly(choices, promptTokens);
    const queue = engines.queue(model.id);
    const { parallel = 1 } = engines.loaded(model.id)?.facts ?? {};
    const { place } = generation;
    turn = await queue.enter(signal, place);
    const run = (choice: number, on: Turn, ended: AbortSignal) =>
      oneChoice(generation, prepared[Math.floor(choice / generation.choices)]!, {
        choice,
        turn: on,
        engines,
        signal: ended,
      });
    const enter = (ended: AbortSignal) => queue.enter(ended, { ...place, isFurther: true });
    const isSingle = choices === 1 || parallel === 1;
    const events = (isSingle ? inTurn : sideBySide)(turn, { choices, run, enter, signal });
    yield* withCounts(events, totals, choices, signal);
  } catch (error) {
    if (isAboutPrompt(error)) {
      throw new EngineError(error.code, error.message, { param: generation.promptParam, cause: error });
    }
    // The abort itself may have terminated the engine: not an error.
    const { counts } = totals;
    if (signal.aborted && counts !== NO_TOKENS) {
      return yield { type: "finish", choice: 0, reason: "abort", counts };
    }
    throw error;
  } finally {
    turn?.release();
    hold.release();
  }
}

async function prepareAll(
  generation: Generation,
  engines: EngineSupervisor,
  signal: AbortSignal,
): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const plan of [generation.plan, ...(generation.furtherPlans ?? [])]) {
    prepared.push(await prepare({ ...generation, plan }, engines, signal));
  }
  return prepared;
}

/** The events with the counts of the whole request. An abort ends every choice, and is reported once, at the end. */
async function* withCounts(
  events: AsyncIterable<ChoiceEvent>,
  totals: Totals,
  choices: number,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent, void> {
  let aborted: GenerationEvent | undefined;
  let left = choices;
  for await (const { usage, ...event } of events) {
    const counted = { ...event, counts: totals.note(event.choice, usage) };
    if (counted.type === "finish" && counted.reason === "abort") aborted = counted;
    else {
      if (counted.type === "finish") left--;
      yield counted;
    }
  }
  if (aborted) yield aborted;
  // Aborted between two choices: no engine reports it.
  else if (left > 0) signal.throwIfAborted();
}

interface ChoiceRun {
  choice: number;
  turn: Turn;
  engines: EngineSupervisor;
  signal: AbortSignal;
}

/** The events of one choice, `finish` included. If the engine is lost before any of them, it is repeated once, alone. */
async function* oneChoice(
  generation: Generation,
  prepared: Prepared,
  { choice, turn, engines, signal }: ChoiceRun,
): AsyncGenerator<ChoiceEvent, void> {
  const stream = randomStream(generation.sampling.seed, choice % generation.choices);
  for (let losses = 0; ; ) {
    let hasYielded = false;
    try {
      // Loads a new engine if the previous one died while the request was queued.
      const engine = await engines.engine(generation.model, signal);
      generation.onEngine?.(engine.facts);
      const { rank } = turn;
      const reply = oneReply(generation, prepared, { choice, stream, rank, engine, engines, signal });
      for await (const event of generation.isBuffered ? await buffered(reply) : reply) {
        hasYielded = true;
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted || hasYielded || !isLoss(error)) throw error;
      if (++losses === 2) throw lostAgain(error);
      // Any request that ran when the engine was lost may be the cause: each is repeated alone.
      await turn.beAlone(signal);
    }
  }
}

interface ReplyRun {
  choice: number;
  stream: bigint;
  rank: ReplyRank;
  engine: ChatEngine;
  engines: EngineSupervisor;
  signal: AbortSignal;
}

/** One attempt at a choice. */
async function* oneReply(
  generation: Generation,
  { plan, promptTokens }: Prepared,
  { choice, stream, rank, engine, engines, signal }: ReplyRun,
): AsyncGenerator<ChoiceEvent, void> {
  const { topLogprobs, model, cacheScope } = generation;
  const sampling = withDefaults(generation.sampling, modelDefaults(model, engine.facts));
  // Engines may exceed the context window, by a token or by up to a block of the KV cache.
  const { maxTokens = engine.facts.contextWindow - promptTokens } = sampling;
  const { prompt, images, reader, constraint, onReply } = plan;
  const request = {
    prompt,
    cacheScope,
    ...(images ? { images } : {}),
    reader,
    ...(constraint ? { constraint } : {}),
    sampling: { ...sampling, maxTokens },
    stream,
    rank,
    ...(topLogprobs === undefined ? {} : { topLogprobs }),
  };
  const steps = generateWithAbortPolicy(engine, request, signal, {
    promptTokens,
    pace: engines.pace(model.id),
    clock: engines.clock,
  });
  const seen = new SeenReply();
  const calls = new CustomCalls(generation.customTools);
  let calledTools = false;
  for await (const step of steps) {
    const { usage } = step;
    if (step.type === "reply") {
      for (const event of step.events) {
        seen.see(event);
        calledTools ||= event.type === "tool-call-end";
      }
      const events = step.events.flatMap((event) => calls.convert(event));
      yield { type: "reply", choice, events, logprobs: step.logprobs, usage };
      continue;
    }
    if (step.raw !== undefined && typeof prompt === "string") onReply?.({ prompt, seen, raw: step.raw });
    const reason: FinishReason = step.reason === "stop" && calledTools ? "tool_calls" : step.reason;
    yield { type: "finish", choice, reason, usage };
  }
}

/** Engines name the prompt "prompt", whatever parameter of the request it comes from. */
function isAboutPrompt(error: unknown): error is EngineError {
  if (!(error instanceof EngineError)) return false;
  return error.param === "prompt" || (error.code === "context_length_exceeded" && !error.param);
}

/** Buffers all events, so that a failed attempt delivers nothing. */
async function buffered(events: AsyncIterable<ChoiceEvent>): Promise<ChoiceEvent[]> {
  const all: ChoiceEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** For `max_tokens: 0`: the prompts are only counted. */
function* countedOnly(choices: number, promptTokens: number): Generator<GenerationEvent, void> {
  const counts = { ...NO_TOKENS, inputTokens: promptTokens };
  for (let choice = 0; choice < choices; choice++) yield { type: "finish", choice, reason: "length", counts };
}
