/** The batch engine and web-llm's chat API on a test model, without server and worker. */

import { MLCEngine } from "@mlc-ai/web-llm";
import { BatchEngine } from "../../../../worker/engines/webllm/batch-engine.ts";
import { PAGE_SIZE } from "../../../../worker/engines/webllm/kv/kv-state.ts";
import { SequenceCache } from "../../../../worker/engines/webllm/kv/sequence-cache.ts";
import type { LoadedModel } from "../../../../worker/engines/webllm/load-model.ts";
import { BatchSize } from "../../../../worker/engines/webllm/schedule/batch-size.ts";
import { prefixTokens, rawConversation } from "../../../../worker/engines/webllm/single/raw-conversation.ts";
import { SingleEngine } from "../../../../worker/engines/webllm/single/single-engine.ts";
import type { Feed } from "../../../../worker/engines/webllm/step/forward.ts";
import { type StepRow, StepRunner } from "../../../../worker/engines/webllm/step/step-runner.ts";
import { PromptTokens } from "../../../../worker/engines/webllm/text/prompt-tokens.ts";
import { lookUpFunctions } from "../../../../worker/engines/webllm/tvm/functions.ts";
import { replaceCache, TvmKvState } from "../../../../worker/engines/webllm/tvm/kv-state.ts";
import { pipelineOf } from "../../../../worker/engines/webllm/tvm/pipeline.ts";
import { modelRecord } from "./engine.ts";

const MODEL = "alpha";

async function load(contextWindow: number): Promise<LoadedModel> {
  const record = modelRecord(MODEL);
  const config = await (await fetch(`${record.model}/resolve/main/mlc-chat-config.json`)).json();
  const engine = new MLCEngine({ appConfig: { model_list: [record] }, logLevel: "ERROR" });
  const overrides = { ...rawConversation(config), context_window_size: contextWindow };
  await engine.reload(MODEL, overrides);
  const pipeline = pipelineOf(engine, MODEL);
  const prompts = new PromptTokens(pipeline.tokenizer);
  const info = { contextWindow } as LoadedModel["info"];
  return { engine, pipeline, config, prefix: prefixTokens(config), prompts, tokenForm: "byte_level", info };
}

export async function startSingle(contextWindow: number) {
  const model = await load(contextWindow);
  return { engine: new SingleEngine(model), close: () => model.engine.unload() };
}

/** Counts what the cache asks of the library. */
class CountingState extends TvmKvState {
  readonly counts = { removed: 0, forked: 0, shortened: 0 };

  override remove(id: number): void {
    this.counts.removed++;
    super.remove(id);
  }

  override fork(parent: number, child: number, position: number): void {
    this.counts.forked++;
    super.fork(parent, child, position);
  }

  override popn(id: number, count: number): void {
    this.counts.shortened++;
    super.popn(id, count);
  }
}

/** Calls `check` before every pass. */
class CheckedSteps extends StepRunner {
  passes = 0;
  check = (): void => {};

  override feed(feed: Feed): Promise<void> {
    this.#begin();
    return super.feed(feed);
  }

  override sample(rows: readonly StepRow[]): Promise<number[]> {
    this.#begin();
    return super.sample(rows);
  }

  #begin(): void {
    this.passes++;
    this.check();
  }
}

/** A batch engine for `width` replies at once. */
export async function startBatch(contextWindow: number, width: number) {
  const model = await load(contextWindow);
  const { pipeline } = model;
  const functions = lookUpFunctions(pipeline);
  replaceCache(pipeline, { sequences: width, pageSize: PAGE_SIZE });
  const state = new CountingState(pipeline, functions);
  state.clear();
  const steps = new CheckedSteps(pipeline, functions);
  const cache = new SequenceCache(state, { pages: state.availablePages(), pageSize: PAGE_SIZE });
  const engine = new BatchEngine(model, steps, cache, new BatchSize(width, false));
  return { engine, cache, steps, counts: state.counts, close: () => model.engine.unload() };
}
