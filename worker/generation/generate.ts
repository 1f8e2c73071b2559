/** Shared core of all text endpoints: prompt → queue → engine → typed events. */

import { EngineError } from "../engine-api/engine-error.ts";
import type { QueuePosition, Turn } from "../engines/scheduling/model-queue.ts";
import type { EngineSupervisor } from "../engines/scheduling/supervisor.ts";
import { loadPart } from "../lazy/part.ts";
import { NO_TOKENS } from "../usage/metering/meter.ts";
import { type ChoiceRequest, runChoice } from "./choices/choice.ts";
import { type ChoiceEvent, type Choices, sequentialChoices } from "./choices/sequential-choices.ts";
import { Totals } from "./choices/totals.ts";
import type { GenerationEvent } from "./events.ts";
import { type PreparedPrompt, type PromptRequest, prepare } from "./prepare.ts";

export interface Generation extends ChoiceRequest {
  /** Plans of the prompts after the first. */
  furtherPlans?: readonly PromptRequest["plan"][];
  /** Priority and order in the queue. */
  queuePosition?: QueuePosition;
  /** Called with the exact length of all prompts before any computation; if it throws, the request fails. */
  onPrompt?: (promptTokens: number) => Promise<void>;
}

/**
 * Runs one generation. Loads the model if necessary and holds it in memory, counts the prompts before it is queued,
 * and holds its turn until the engine is free again. An abort while it runs yields `abort` with exact counts; an
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
    const choices = choicesOf(generation, prepared, engines, signal);
    if (generation.sampling.maxTokens === 0 && !generation.promptScores)
      return yield* countedOnly(choices.choices, promptTokens);
    const inOrder = await orderOf(choices.choices, engines.loaded(model.id)?.info.parallel, signal);
    turn = await engines.queue(model.id).enter(signal, generation.queuePosition);
    yield* withCounts(inOrder(turn, choices), totals, choices.choices, signal);
  } catch (error) {
    if (isAboutPrompt(error)) {
      throw new EngineError(error.code, error.message, { param: generation.promptParam, cause: error });
    }
    // The abort itself may have terminated the engine: not an error.
    const { counts } = totals;
    if (signal.aborted && counts !== NO_TOKENS) {
      return yield { type: "abort", choice: 0, counts };
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
): Promise<PreparedPrompt[]> {
  const prepared: PreparedPrompt[] = [];
  for (const plan of [generation.plan, ...(generation.furtherPlans ?? [])]) {
    prepared.push(await prepare({ ...generation, plan }, engines, signal));
  }
  return prepared;
}

function choicesOf(
  generation: Generation,
  prepared: readonly PreparedPrompt[],
  engines: EngineSupervisor,
  signal: AbortSignal,
): Choices {
  const { model, choices, queuePosition, promptScores } = generation;
  return {
    choices: prepared.length * choices,
    run: (choice, turn, ended) =>
      runChoice(generation, prepared[Math.floor(choice / choices)]!, {
        choice,
        turn,
        engines,
        signal: ended,
      }),
    enter: (ended) => engines.queue(model.id).enter(ended, { ...queuePosition, isFurther: true }),
    promptScores,
    signal,
  };
}

/** How the choices run: concurrently, if the engine runs several replies at once. */
async function orderOf(
  choices: number,
  parallel: number | undefined,
  signal: AbortSignal,
): Promise<typeof sequentialChoices> {
  if (choices === 1 || (parallel ?? 1) === 1) return sequentialChoices;
  return (await loadPart(() => import("./choices/concurrent-choices.ts"), signal)).concurrentChoices;
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
    if (counted.type === "abort") aborted = counted;
    else {
      if (counted.type === "finish") left--;
      yield counted;
    }
  }
  if (aborted) yield aborted;
  // Aborted between two choices: no engine reports it.
  else if (left > 0) signal.throwIfAborted();
}

/** Engines name the prompt "prompt", whatever parameter of the request it comes from. */
function isAboutPrompt(error: unknown): error is EngineError {
  if (!(error instanceof EngineError)) return false;
  return error.param === "prompt" || (error.code === "context_length_exceeded" && !error.param);
}

/** For `max_tokens: 0`: the prompts are only counted. */
function* countedOnly(choices: number, promptTokens: number): Generator<GenerationEvent, void> {
  const counts = { ...NO_TOKENS, inputTokens: promptTokens };
  for (let choice = 0; choice < choices; choice++) yield { type: "finish", choice, reason: "length", counts };
}
