/** A fake model, and replies that know what they must be: for tests of the scheduler. */

import { expect } from "vitest";
import type { ReplyRank } from "../../worker/engine-api/chat-engine.ts";
import { SequenceCache } from "../../worker/engines/webllm/kv/sequence-cache.ts";
import { BatchSize } from "../../worker/engines/webllm/schedule/batch-size.ts";
import { givesWay, type Job } from "../../worker/engines/webllm/schedule/job.ts";
import { Scheduler, type Steps } from "../../worker/engines/webllm/schedule/scheduler.ts";
import type { StepRow } from "../../worker/engines/webllm/step/step-runner.ts";
import { PagedKvState } from "./paged-kv-state.ts";

export const CHUNK = 32;
export const END = 0;
/** The next token of the fake model: any change of the tokens before it changes it. */
function next(tokens: readonly number[]): number {
  const hash = tokens.reduce((sum, token) => (Math.imul(sum, 31) + token + 1) >>> 0, 7);
  return hash % 23;
}

/** What the fake model says after each token of a prompt but its last. */
export function scoresOf(prompt: readonly number[]): number[] {
  return prompt.slice(1).map((_, at) => next(prompt.slice(0, at + 1)));
}

/** What a prompt's reply must be, whatever its company. */
export function replyTo(prompt: readonly number[], most: number): number[] {
  const reply: number[] = [];
  while (reply.length < most && reply.at(-1) !== END) reply.push(next([...prompt, ...reply]));
  return reply;
}

/** A step of the fake model: which sequences it fed, and with how many tokens. */
type Passed = readonly { sequence: number; tokens: number }[];

export class FakeSteps implements Steps {
  readonly passes: Passed[] = [];
  onPass: (at: number) => void = () => {};
  readonly #state: PagedKvState;

  constructor(state: PagedKvState) {
    this.#state = state;
  }

  async feed({ sequence, ids }: { sequence: number; ids: readonly number[] }): Promise<void> {
    await this.#pass([{ sequence, ids }]);
  }

  readonly scoredAtOnce = 12;

  /** One logit for each token: the next token of the fake model. */
  async score({ sequence, ids }: { sequence: number; ids: readonly number[] }): Promise<Float32Array> {
    await this.#pass([{ sequence, ids }]);
    const tokens = this.#state.tokensOf(sequence);
    return Float32Array.from(ids, (_, at) => next(tokens.slice(0, tokens.length - ids.length + at + 1)));
  }

  async sample(rows: readonly Pick<StepRow, "sequence" | "ids">[]): Promise<number[]> {
    expect(rows.length === 1 || rows.every(({ ids }) => ids.length === 1)).toBe(true);
    await this.#pass(rows);
    return rows.map(({ sequence }) => next(this.#state.tokensOf(sequence)));
  }

  async #pass(rows: readonly { sequence: number; ids: readonly number[] }[]): Promise<void> {
    for (const { sequence, ids } of rows) this.#state.feed(sequence, ids);
    this.onPass(this.passes.push(rows.map(({ sequence, ids }) => ({ sequence, tokens: ids.length }))));
    await Promise.resolve();
  }
}

export class FakeJob implements Job {
  readonly scope = "";
  readonly ids: number[];
  sequence: number | undefined;
  outcome: "stop" | "length" | "abort" | "no room" | Error | undefined;
  readonly ended: Promise<void>;
  isAborted = false;
  /** Which of its own methods throws, and what. */
  fault: { at: "prepare" | "row" | "take" | "finish" | "fail"; error: unknown } | undefined;
  suspensions = -1;
  /** What was scored, for a job that asks for it. */
  scores: number[] | undefined;
  readonly prompt: readonly number[];
  readonly #most: number;
  readonly #rank: ReplyRank;
  #length = 0;
  #end: "stop" | "length" | "no room" | undefined;
  #resolve!: () => void;

  constructor(prompt: readonly number[], most: number, rank: ReplyRank = "first") {
    this.prompt = prompt;
    this.ids = [...prompt];
    this.#most = most;
    this.#rank = rank;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get isBackground(): boolean {
    return givesWay(this.#rank, this.suspensions >= 0);
  }

  get reply(): number[] {
    return this.ids.slice(this.prompt.length);
  }

  get waiting(): readonly number[] {
    return this.ids.slice(this.#length);
  }

  get toScore(): readonly number[] {
    return this.scores ? this.ids.slice(this.#length, this.prompt.length - 1) : [];
  }

  get mostCached(): number | undefined {
    return this.toScore.length > 0 ? this.scores!.length : undefined;
  }

  get isOver(): boolean {
    return this.isAborted || this.#end !== undefined;
  }

  async prepare(): Promise<void> {
    this.#fail("prepare");
  }

  begin({ id, matched }: { id: number; matched: number }): void {
    this.sequence = id;
    this.#length = matched;
    if (this.toScore.length > 0) this.scores = this.scores!.slice(0, matched);
  }

  suspend(): void {
    this.suspensions++;
    this.sequence = undefined;
  }

  fed(count: number): void {
    this.#length += count;
  }

  scored(count: number, logits: Float32Array): void {
    this.#length += count;
    this.scores!.push(...logits);
  }

  row(): StepRow {
    this.#fail("row");
    return { sequence: this.sequence!, ids: this.waiting, temperature: 1, topP: 1, uniform: 0.5 };
  }

  take(id: number): void {
    this.#fail("take");
    this.#length = this.ids.length;
    this.ids.push(id);
    if (id === END) this.#end = "stop";
    else if (this.reply.length === this.#most) this.#end = "length";
  }

  endOutOfPages(): void {
    this.#end = "no room";
  }

  finish(): void {
    this.#fail("finish");
    expect(this.outcome).toBeUndefined();
    this.outcome = this.isAborted ? "abort" : this.#end!;
    this.#resolve();
  }

  fail(error: unknown): void {
    expect(this.outcome).toBeUndefined();
    this.outcome = error as Error;
    this.#resolve();
    if (this.fault?.at === "fail") throw this.fault.error;
  }

  #fail(at: string): void {
    // Within its reply, where there is one.
    if (this.fault?.at === at && (at === "prepare" || this.reply.length > 2)) throw this.fault.error;
  }
}

export function start(width: number, positions: number, isMeasured = false) {
  const state = new PagedKvState(positions);
  const config = { pages: state.availablePages(), pageSize: 16, forksFreely: true };
  const cache = new SequenceCache(state, config);
  const steps = new FakeSteps(state);
  return {
    cache,
    steps,
    scheduler: new Scheduler(steps, cache, {
      batchSize: new BatchSize(width, isMeasured),
      prefillChunkSize: CHUNK,
    }),
  };
}

export const prompt = (length: number, from = 1): number[] =>
  Array.from({ length }, (_, at) => (from + at) % 19);
