/**
 * Continuous batching: one loop feeds a chunk of one prompt and draws the next token of every running reply, so that
 * replies begin and end independently of each other.
 */

import { EngineError } from "../../api/engine-error.ts";
import { OutOfPages } from "../kv/sequence.ts";
import type { SequenceCache } from "../kv/sequence-cache.ts";
import { chunkOf } from "../step/chunk.ts";
import type { StepRunner } from "../step/step-runner.ts";
import type { Job } from "./job.ts";

/** What the scheduler uses of {@link StepRunner}. */
export type Steps = Pick<StepRunner, "feed" | "sample">;

export interface SchedulerFacts {
  /** The most replies that run at once. */
  width: number;
  /** Tokens that the library takes at once. */
  prefillChunkSize: number;
}

export class Scheduler {
  readonly #steps: Steps;
  readonly #cache: SequenceCache;
  readonly #facts: SchedulerFacts;
  /** In order of arrival; replies that lost their sequence stand before all others. */
  readonly #waiting: Job[] = [];
  /** The longest running first. */
  readonly #running: Job[] = [];
  #isWorking = false;

  constructor(steps: Steps, cache: SequenceCache, facts: SchedulerFacts) {
    this.#steps = steps;
    this.#cache = cache;
    this.#facts = facts;
  }

  /** Runs a reply, which reports its own progress. */
  add(job: Job): void {
    this.#waiting.push(job);
    if (!this.#isWorking) void this.#work();
  }

  /** Never rejects: a failure ends every reply. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      while (this.#waiting.length + this.#running.length > 0) {
        this.#reap();
        await this.#admit();
        await this.#prefill();
        await this.#decode();
      }
    } catch (error) {
      const jobs = [...this.#running.splice(0), ...this.#waiting.splice(0)];
      const failure = asFailure(error, jobs.length > 1);
      for (const job of jobs) job.fail(failure);
    } finally {
      this.#isWorking = false;
    }
  }

  /** Replies that have ended or were aborted leave before the next step; their sequences stay for later prompts. */
  #reap(): void {
    for (const job of this.#running.filter(({ isOver }) => isOver)) {
      this.#suspend(job);
      job.finish();
    }
    for (const job of this.#waiting.filter(({ isOver }) => isOver)) {
      remove(this.#waiting, job);
      job.finish();
    }
  }

  /** Gives sequences to as many waiting replies as there is room for, in their order. */
  async #admit(): Promise<void> {
    while (this.#waiting.length > 0 && this.#running.length < this.#facts.width) {
      const job = this.#waiting[0]!;
      await job.prepare();
      try {
        job.begin(this.#cache.admit(job.scope, job.ids));
      } catch (error) {
        if (error instanceof OutOfPages && this.#running.length > 0) return;
        throw error;
      }
      remove(this.#waiting, job);
      this.#running.push(job);
    }
  }

  /** One chunk of the oldest reply whose prompt is not fed yet: all others wait for at most so long. */
  async #prefill(): Promise<void> {
    const job = this.#running.find(({ waiting }) => waiting.length > 1);
    if (!job || job.isOver) return;
    const count = chunkOf(job.waiting.length, this.#facts.prefillChunkSize);
    if (count === job.waiting.length) return this.#draw([job]);
    const ids = job.waiting.slice(0, count);
    await this.#steps.feed({ sequence: job.sequence!, ids });
    this.#cache.fed(job.sequence!, ids);
    job.fed(count);
  }

  /** The next token of every reply whose prompt is fed. */
  async #decode(): Promise<void> {
    for (const job of this.#running.filter(isDecoding)) if (isDecoding(job)) this.#reserve(job);
    const rows = this.#running.filter(isDecoding);
    if (rows.length > 0) await this.#draw(rows);
  }

  /** Makes room for a reply's next token; younger replies give up their sequences for older ones. */
  #reserve(job: Job): void {
    while (!this.#cache.reserve(job.sequence!, 1)) {
      const youngest = this.#running.findLast(({ isBackground }) => isBackground) ?? this.#running.at(-1)!;
      if (this.#running.length === 1) {
        job.endForLackOfRoom();
        return;
      }
      this.#suspend(youngest);
      this.#waiting.unshift(youngest);
      if (youngest === job) return;
    }
  }

  async #draw(jobs: readonly Job[]): Promise<void> {
    const tokens = await this.#steps.sample(jobs.map((job) => job.row()));
    for (const [at, job] of jobs.entries()) {
      this.#cache.fed(job.sequence!, job.waiting);
      job.take(tokens[at]!);
    }
  }

  /** Its sequence stays for later prompts, or for the reply itself. */
  #suspend(job: Job): void {
    remove(this.#running, job);
    this.#cache.retain(job.sequence!);
    job.suspend();
  }
}

/** The library's state is undefined after any failure. Of several replies one may be its cause: all are to be repeated. */
function asFailure(cause: unknown, hasCompany: boolean): EngineError {
  if (hasCompany) {
    const message = "The engine failed while several requests ran. Send the request again.";
    return new EngineError("engine_lost", message, { cause });
  }
  if (cause instanceof EngineError) return cause;
  return new EngineError("engine_failed", `web-llm: ${(cause as Error).message}`, { cause });
}

function isDecoding({ waiting, isOver, sequence }: Job): boolean {
  return sequence !== undefined && waiting.length === 1 && !isOver;
}

function remove(jobs: Job[], job: Job): void {
  const at = jobs.indexOf(job);
  if (at >= 0) jobs.splice(at, 1);
}
