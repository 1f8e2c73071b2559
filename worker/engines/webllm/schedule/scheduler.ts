/**
 * Continuous batching: one loop feeds a chunk of one prompt and draws the next token of every running reply, so that
 * replies begin and end independently of each other.
 */

import { OutOfPages } from "../kv/sequence.ts";
import type { SequenceCache } from "../kv/sequence-cache.ts";
import { chunkOf } from "../step/chunk.ts";
import type { StepRow, StepRunner } from "../step/step-runner.ts";
import type { BatchSize } from "./batch-size.ts";
import { engineLost, failReply, hasAborted, replyFailure, stepFailure } from "./failures.ts";
import { isPrefillingPrefix } from "./is-prefilling-prefix.ts";
import { firstOf, isDecoding, type Job, remove } from "./job.ts";
import { passesOf } from "./passes-of.ts";

/** What the scheduler uses of {@link StepRunner}. */
export type Steps = Pick<StepRunner, "feed" | "sample" | "score" | "scoredAtOnce">;

interface SchedulerConfig {
  /** How many replies run at once. */
  batchSize: BatchSize;
  /** Tokens that the library takes at once. */
  prefillChunkSize: number;
}

export class Scheduler {
  readonly #steps: Steps;
  readonly #cache: SequenceCache;
  readonly #config: SchedulerConfig;
  /** In order of arrival; replies that lost their sequence because pages were short come first. */
  readonly #waiting: Job[] = [];
  /** The longest running first. */
  readonly #running: Job[] = [];
  #isWorking = false;
  #prefersOldest = false;
  #passes = 0;
  /** The engine is unusable after it. */
  #failure: unknown;
  /** After an abort of a WebAssembly module, parts of the engine may fail: running replies end, none begins. */
  #isDraining = false;

  constructor(steps: Steps, cache: SequenceCache, config: SchedulerConfig) {
    this.#steps = steps;
    this.#cache = cache;
    this.#config = config;
  }

  /** Passes of the model and compiled grammars so far: the engine makes progress as long as the number changes. */
  get passes(): number {
    return this.#passes;
  }

  /** Runs a reply, which reports its own progress. */
  add(job: Job): void {
    if (this.#failure !== undefined) job.fail(engineLost(this.#failure));
    else this.#waiting.push(job);
    if (!this.#isWorking) void this.#work();
  }

  /** Never rejects: a failure of a step ends every reply. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      while (this.#waiting.length + this.#running.length > 0) {
        await this.#reap();
        await this.#admit();
        await this.#prefill();
        await this.#decode();
      }
      this.#cache.settle();
    } catch (error) {
      const jobs = [...this.#running.splice(0), ...this.#waiting.splice(0)];
      this.#failure = stepFailure(error, jobs.length > 1);
      for (const job of jobs) failReply(job, this.#failure);
    } finally {
      this.#isWorking = false;
    }
  }

  /** Replies that have ended or were aborted leave before the next step; their sequences stay for later prompts. */
  async #reap(): Promise<void> {
    for (const job of [...this.#running, ...this.#waiting].filter(({ isOver }) => isOver)) {
      this.#leave(job);
      await this.#isolate(job, () => job.finish());
    }
  }

  /**
   * Gives sequences to as many waiting replies as there is room for, in their order. Background ones come last, and leave
   * one place free.
   */
  async #admit(): Promise<void> {
    const { batchSize } = this.#config;
    while (this.#waiting.length > 0) {
      const running = this.#running.length;
      if (this.#isDraining) {
        if (running > 0) return;
        throw engineLost(undefined);
      }
      if (batchSize.rowsFor(running + this.#waiting.length) <= running) {
        if (!this.#suspendBackground()) return;
        continue;
      }
      const leavesRoom = running === 0 || batchSize.rowsFor(running + 2) > running + 1;
      const ready = this.#waiting.filter(
        (one) => (leavesRoom || !one.isBackground) && !this.#isPrefillingPrefixOf(one),
      );
      const job = firstOf(ready);
      if (!job) return;
      const isReady = await this.#isolate(job, () => job.prepare());
      this.#passes++;
      if (!isReady) continue;
      if (!this.#begin(job)) return;
      remove(this.#waiting, job);
      this.#running.push(job);
    }
  }

  /** A background reply gives its row to those that can begin now, and waits after them. @returns whether one did */
  #suspendBackground(): boolean {
    const background = this.#running.findLast(({ isBackground }) => isBackground);
    const canBegin = this.#waiting.some((job) => !job.isBackground && !this.#isPrefillingPrefixOf(job));
    if (!background || !canBegin) return false;
    this.#suspend(background);
    this.#waiting.push(background);
    return true;
  }

  #isPrefillingPrefixOf(job: Job): boolean {
    return this.#running.some((other) => isPrefillingPrefix(other, job));
  }

  /** @returns false if it has to wait for pages, which background replies give up for others */
  #begin(job: Job): boolean {
    while (true) {
      try {
        job.begin(this.#cache.admit(job.scope, job.ids, job.mostCached));
        return true;
      } catch (error) {
        if (!(error instanceof OutOfPages) || this.#running.length === 0) throw error;
      }
      const background = this.#running.findLast(({ isBackground }) => isBackground);
      if (job.isBackground || !background) return false;
      this.#preempt(background);
    }
  }

  /**
   * Feeds one chunk of one prompt, which bounds the delay of all other replies. The oldest prompt and the shortest rest take
   * turns, so that a long prompt does not hold up a short one, and short ones do not starve a long one.
   */
  async #prefill(): Promise<void> {
    const jobs = this.#running.filter(({ waiting, isOver }) => waiting.length > 1 && !isOver);
    const oldest = firstOf(jobs);
    if (!oldest) return;
    this.#prefersOldest = !this.#prefersOldest;
    const least = jobs.reduce(
      (one, other) =>
        other.isBackground === oldest.isBackground && other.waiting.length < one.waiting.length ? other : one,
      oldest,
    );
    const job = this.#prefersOldest ? oldest : least;
    if (job.toScore.length > 0) return this.#score(job);
    const count = chunkOf(job.waiting.length, this.#config.prefillChunkSize);
    if (count === job.waiting.length) return this.#draw([job]);
    const ids = job.waiting.slice(0, count);
    await this.#steps.feed({ sequence: job.sequence!, ids });
    this.#passes++;
    this.#cache.fed(job.sequence!, ids);
    job.fed(count);
  }

  async #score(job: Job): Promise<void> {
    const ids = job.toScore.slice(0, this.#steps.scoredAtOnce);
    const logits = await this.#steps.score({ sequence: job.sequence!, ids });
    this.#passes++;
    this.#cache.fed(job.sequence!, ids);
    await this.#isolate(job, () => job.scored(ids.length, logits));
  }

  /** The next token of every reply whose prompt is fed. */
  async #decode(): Promise<void> {
    for (const job of this.#running.filter(isDecoding)) if (isDecoding(job)) this.#reserve(job);
    const jobs = this.#running.filter(isDecoding);
    if (jobs.length === 0) return;
    const { batchSize } = this.#config;
    const perPass = batchSize.perPass(jobs.length);
    const startedAtMs = performance.now();
    for (const rows of passesOf(jobs, perPass, this.#cache)) await this.#draw(rows);
    batchSize.record(jobs.length, perPass, performance.now() - startedAtMs);
  }

  /** Makes room for a reply's next token; younger replies give up their sequences for older ones. */
  #reserve(job: Job): void {
    while (!this.#cache.reserve(job.sequence!, 1)) {
      const youngest = this.#running.findLast(({ isBackground }) => isBackground) ?? this.#running.at(-1)!;
      if (this.#running.length === 1) {
        job.endOutOfPages();
        return;
      }
      this.#preempt(youngest);
      if (youngest === job) return;
    }
  }

  async #draw(jobs: readonly Job[]): Promise<void> {
    const rows = new Map<Job, StepRow>();
    for (const job of jobs) await this.#isolate(job, () => rows.set(job, job.row()));
    if (rows.size === 0) return;
    const tokens = await this.#steps.sample([...rows.values()]);
    this.#passes++;
    for (const [at, job] of [...rows.keys()].entries()) {
      this.#cache.fed(job.sequence!, job.waiting);
      await this.#isolate(job, () => job.take(tokens[at]!));
    }
  }

  /** Runs what concerns one reply alone. If it throws, this reply ends, and others go on. @returns whether it did not */
  async #isolate(job: Job, work: () => unknown): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#isDraining ||= hasAborted(error);
      this.#leave(job);
      failReply(job, replyFailure(error));
      return false;
    }
  }

  #leave(job: Job): void {
    if (job.sequence !== undefined) this.#suspend(job);
    remove(this.#waiting, job);
  }

  /** Waits until there is room again, before all others. */
  #preempt(job: Job): void {
    this.#suspend(job);
    this.#waiting.unshift(job);
  }

  /** It runs no more. Its sequence stays for later prompts, or for the reply itself. */
  #suspend(job: Job): void {
    this.#cache.retain(job.sequence!);
    job.suspend();
    remove(this.#running, job);
  }
}
