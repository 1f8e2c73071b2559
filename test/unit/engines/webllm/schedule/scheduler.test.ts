import { expect, test } from "vitest";
import { SequenceCache } from "../../../../../worker/engines/webllm/kv/sequence-cache.ts";
import type { Job } from "../../../../../worker/engines/webllm/schedule/job.ts";
import { Scheduler, type Steps } from "../../../../../worker/engines/webllm/schedule/scheduler.ts";
import type { StepRow } from "../../../../../worker/engines/webllm/step/step-runner.ts";
import { PagedKvState } from "../../../../fakes/paged-kv-state.ts";
import { fc } from "../../../../support/random.ts";

const CHUNK = 32;
const END = 0;
const POSITIONS = 256;
const PAGES = POSITIONS / 16 + 1;

/** The next token of the fake model: any change of the tokens before it changes it. */
function next(tokens: readonly number[]): number {
  const hash = tokens.reduce((sum, token) => (Math.imul(sum, 31) + token + 1) >>> 0, 7);
  return hash % 23;
}

/** What a prompt's reply must be, whatever its company. */
function replyTo(prompt: readonly number[], most: number): number[] {
  const reply: number[] = [];
  while (reply.length < most && reply.at(-1) !== END) reply.push(next([...prompt, ...reply]));
  return reply;
}

/** A step of the fake model: which sequences it fed, and with how many tokens. */
type Passed = readonly { sequence: number; tokens: number }[];

class FakeSteps implements Steps {
  readonly passes: Passed[] = [];
  onPass: (at: number) => void = () => {};
  readonly #state: PagedKvState;

  constructor(state: PagedKvState) {
    this.#state = state;
  }

  async feed({ sequence, ids }: { sequence: number; ids: readonly number[] }): Promise<void> {
    await this.#pass([{ sequence, ids }]);
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

class FakeJob implements Job {
  readonly scope = "";
  readonly isBackground: boolean;
  readonly ids: number[];
  sequence: number | undefined;
  outcome: "stop" | "length" | "abort" | "no room" | Error | undefined;
  readonly ended: Promise<void>;
  isAborted = false;
  suspensions = -1;
  readonly prompt: readonly number[];
  readonly #most: number;
  #length = 0;
  #end: "stop" | "length" | "no room" | undefined;
  #resolve!: () => void;

  constructor(prompt: readonly number[], most: number, isBackground = false) {
    this.prompt = prompt;
    this.ids = [...prompt];
    this.#most = most;
    this.isBackground = isBackground;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get reply(): number[] {
    return this.ids.slice(this.prompt.length);
  }

  get waiting(): readonly number[] {
    return this.ids.slice(this.#length);
  }

  get isOver(): boolean {
    return this.isAborted || this.#end !== undefined;
  }

  async prepare(): Promise<void> {}

  begin({ id, matched }: { id: number; matched: number }): void {
    this.sequence = id;
    this.#length = matched;
  }

  suspend(): void {
    this.suspensions++;
    this.sequence = undefined;
  }

  fed(count: number): void {
    this.#length += count;
  }

  row(): StepRow {
    return { sequence: this.sequence!, ids: this.waiting, temperature: 1, topP: 1, uniform: 0.5 };
  }

  take(id: number): void {
    this.#length = this.ids.length;
    this.ids.push(id);
    if (id === END) this.#end = "stop";
    else if (this.reply.length === this.#most) this.#end = "length";
  }

  endForLackOfRoom(): void {
    this.#end = "no room";
  }

  finish(): void {
    expect(this.outcome).toBeUndefined();
    this.outcome = this.isAborted ? "abort" : this.#end!;
    this.#resolve();
  }

  fail(error: unknown): void {
    expect(this.outcome).toBeUndefined();
    this.outcome = error as Error;
    this.#resolve();
  }
}

function start(width: number, positions: number) {
  const state = new PagedKvState(positions);
  const facts = { pages: state.availablePages(), pageSize: 16, forksFreely: true };
  const cache = new SequenceCache(state, facts);
  const steps = new FakeSteps(state);
  return { cache, steps, scheduler: new Scheduler(steps, cache, { width, prefillChunkSize: CHUNK }) };
}

const prompt = (length: number, from = 1): number[] => Array.from({ length }, (_, at) => (from + at) % 19);

test("replies that run side by side are those of each alone, whatever their number and the room", async () => {
  const request = fc.record({
    length: fc.integer({ min: 1, max: 150 }),
    from: fc.integer({ min: 1, max: 4 }),
    most: fc.integer({ min: 1, max: 60 }),
    at: fc.nat(200),
    abortAt: fc.option(fc.nat(200), { freq: 4 }),
    isBackground: fc.boolean(),
  });
  let suspended = 0;
  const requests = fc.array(request, { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(requests, fc.integer({ min: 1, max: 8 }), async (list, width) => {
      const { cache, steps, scheduler } = start(width, POSITIONS);
      const jobs = list.map(({ length, from, most, isBackground }) => {
        return new FakeJob(prompt(length, from), most, isBackground);
      });
      const left = new Set(jobs.keys());
      const begin = (isDue: (which: number) => boolean): void => {
        for (const which of [...left].filter(isDue)) {
          left.delete(which);
          scheduler.add(jobs[which]!);
        }
      };
      steps.onPass = (at) => {
        for (const [which, job] of jobs.entries()) job.isAborted ||= (list[which]!.abortAt ?? at + 1) <= at;
        begin((which) => list[which]!.at <= at);
        const { free, retained, active } = cache.pages;
        expect(free + retained + active).toBe(PAGES);
      };
      begin((which) => list[which]!.at === 0);
      while (left.size > 0) {
        await Promise.all(jobs.filter((_, which) => !left.has(which)).map(({ ended }) => ended));
        // All others came and went before their time.
        begin((which) => which === [...left][0]);
      }
      for (const job of jobs) {
        await job.ended;
        const alone = replyTo(job.prompt, 60);
        expect(job.reply).toEqual(alone.slice(0, job.reply.length));
        if (job.outcome === "stop") expect(job.reply.at(-1)).toBe(END);
        else expect(["abort", "length"]).toContain(job.outcome);
        suspended += Math.max(0, job.suspensions);
      }
      expect(cache.pages.active).toBe(0);
      cache.verify();
    }),
    { numRuns: 60 },
  );
  expect(suspended).toBeGreaterThan(0);
});

test("a long prompt delays running replies by one chunk at a time, and an abort ends it after its chunk", async () => {
  const { cache, steps, scheduler } = start(2, 1024);
  const short = new FakeJob(prompt(3), 500);
  const long = new FakeJob(prompt(20 * CHUNK), 5);
  scheduler.add(short);
  scheduler.add(long);
  steps.onPass = (at) => {
    if (at > 2 && steps.passes.at(-1)![0]!.tokens > 1)
      long.isAborted = long.ids.length - long.waiting.length > 9 * CHUNK;
    if (long.outcome) short.isAborted = true;
  };
  await Promise.all([short.ended, long.ended]);
  const chunks = steps.passes.map((rows) => rows[0]!.tokens > 1);
  expect(chunks.some((isChunk, at) => at > 1 && isChunk && chunks[at + 1])).toBe(false);
  expect([long.outcome, long.reply]).toEqual(["abort", []]);
  expect(steps.passes.flat().filter(({ tokens }) => tokens === CHUNK)).toHaveLength(11);
  expect(cache.pages.active).toBe(0);
});

test("a failed step ends every reply: each of several as lost, one alone with the cause", async () => {
  for (const count of [1, 3]) {
    const { steps, scheduler } = start(4, 256);
    const jobs = Array.from({ length: count }, (_, at) => new FakeJob(prompt(5, at + 1), 50));
    steps.onPass = (at) => {
      if (at === 2) throw new Error("the device is gone");
    };
    for (const job of jobs) scheduler.add(job);
    for (const job of jobs) {
      await job.ended;
      expect(job.outcome).toMatchObject({ code: count > 1 ? "engine_lost" : "engine_failed" });
    }
  }
});

test("rows whose pages do not fit in one list are drawn in several passes", async () => {
  const { steps, scheduler } = start(4, 256);
  // 10 shared pages: five replies of a family list 50, of 17.
  const jobs = Array.from({ length: 3 }, (_, at) => new FakeJob([...prompt(160), at], 40));
  for (const job of jobs) scheduler.add(job);
  for (const job of jobs) {
    await job.ended;
    expect(job.reply).toEqual(replyTo(job.prompt, 40));
  }
  const decodes = steps.passes.filter((rows) => rows.every(({ tokens }) => tokens === 1));
  expect(Math.max(...decodes.map((rows) => rows.length))).toBe(1);
});

test("a background reply gives up its pages for an interactive one, and ends after it", async () => {
  const { scheduler, steps } = start(4, 256);
  const background = new FakeJob(prompt(150, 2), 60, true);
  const interactive = new FakeJob(prompt(150, 3), 60);
  scheduler.add(background);
  steps.onPass = (at) => {
    if (at === 6) scheduler.add(interactive);
  };
  await interactive.ended;
  expect(background.outcome).toBeUndefined();
  await background.ended;
  expect(background.suspensions).toBeGreaterThan(0);
  expect(background.reply).toEqual(replyTo(background.prompt, 60));
  expect(interactive.reply).toEqual(replyTo(interactive.prompt, 60));
});
