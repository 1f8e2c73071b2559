import { expect, test } from "vitest";
import type { ReplyRank } from "../../../../../worker/engine-api/chat-engine.ts";
import { CHUNK, END, FakeJob, prompt, replyTo, scoresOf, start } from "../../../../fakes/fake-jobs.ts";
import { fc } from "../../../../support/random.ts";

const POSITIONS = 256;
const PAGES = POSITIONS / 16 + 1;

/** A prompt whose reply has 40 tokens and more. */
function longPrompt(): number[] {
  const prompts = Array.from({ length: 200 }, (_, at) => prompt(3 + (at % 50), at));
  return prompts.find((one) => replyTo(one, 40).length === 40)!;
}

test("replies that run side by side are those of each alone, whatever their number and the room", async () => {
  const request = fc.record({
    length: fc.integer({ min: 1, max: 150 }),
    from: fc.integer({ min: 1, max: 4 }),
    most: fc.integer({ min: 1, max: 60 }),
    at: fc.nat(200),
    abortAt: fc.option(fc.nat(200), { freq: 4 }),
    isScored: fc.boolean(),
    rank: fc.constantFrom<ReplyRank>("first", "further", "background"),
  });
  let suspended = 0;
  const requests = fc.array(request, { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      requests,
      fc.integer({ min: 1, max: 8 }),
      fc.boolean(),
      async (list, width, isMeasured) => {
        const { cache, steps, scheduler } = start(width, POSITIONS, isMeasured);
        const jobs = list.map(({ length, from, most, rank, isScored }) => {
          const job = new FakeJob(prompt(length, from), most, rank);
          if (isScored) job.scores = [];
          return job;
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
          const scores = scoresOf(job.prompt);
          if (job.scores) expect(job.scores).toEqual(scores.slice(0, job.scores.length));
          if (job.scores && job.outcome !== "abort") expect(job.scores).toHaveLength(scores.length);
          if (job.outcome === "stop") expect(job.reply.at(-1)).toBe(END);
          else expect(["abort", "length"]).toContain(job.outcome);
          suspended += Math.max(0, job.suspensions);
        }
        expect(cache.pages.active).toBe(0);
        cache.verify();
      },
    ),
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
  const background = new FakeJob(prompt(150, 2), 60, "background");
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

test("background replies leave one place free, where an interactive one begins at once", async () => {
  const { scheduler, steps } = start(4, 4096);
  const background = Array.from({ length: 5 }, (_, at) => new FakeJob(prompt(3, at), 40, "background"));
  const interactive = new FakeJob(prompt(3, 9), 4);
  for (const job of background) scheduler.add(job);
  let most = 0;
  steps.onPass = (at) => {
    if (at < 12) most = Math.max(most, steps.passes.at(-1)!.length);
    if (at === 12) scheduler.add(interactive);
    if (at === 14) expect(interactive.sequence).toBeDefined();
  };
  await interactive.ended;
  expect(most).toBe(3);
  expect(background.some(({ outcome }) => outcome)).toBe(false);
  for (const job of background) await job.ended;
});

test("replies to one prompt that come together feed it once, even if one of them is aborted", async () => {
  for (const isAborted of [false, true]) {
    const { cache, steps, scheduler } = start(4, 2048);
    const jobs = Array.from({ length: 4 }, () => new FakeJob(prompt(10 * CHUNK), 20));
    const other = new FakeJob(prompt(40, 5), 20);
    for (const job of [...jobs, other]) scheduler.add(job);
    steps.onPass = (at) => {
      if (isAborted && at === 4) jobs[0]!.isAborted = true;
    };
    for (const job of [...jobs.slice(isAborted ? 1 : 0), other]) {
      await job.ended;
      expect(job.reply).toEqual(replyTo(job.prompt, 20));
    }
    const fed = steps.passes.flat().filter(({ tokens }) => tokens > 1);
    expect(fed.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(10 * CHUNK + 40 + 3 * 17);
    expect(cache.pages.active).toBe(0);
  }
});

test("a short request's first token comes within two chunks and two steps, whatever prompts and replies run", async () => {
  const { steps, scheduler } = start(4, 4096);
  const long = [1, 2].map((from) => new FakeJob([from, ...prompt(40 * CHUNK)], 5));
  const running = new FakeJob(prompt(3), 500);
  const short = new FakeJob(prompt(20, 4), 3);
  for (const job of [running, ...long]) scheduler.add(job);
  let began = 0;
  let first = 0;
  steps.onPass = (at) => {
    if (at === 9) scheduler.add(short);
    if (at === 9) began = at;
    if (short.reply.length > 0) first ||= at;
    running.isAborted = first > 0;
  };
  for (const job of [short, ...long]) {
    await job.ended;
    expect(job.reply).toEqual(replyTo(job.prompt, job === short ? 3 : 5));
  }
  expect(first - began).toBeLessThanOrEqual(2 + 2);
});

test("a background reply gives its row to an interactive one at once, and goes on as if it had not", async () => {
  const { cache, steps, scheduler } = start(1, 1024);
  const long = longPrompt();
  const background = new FakeJob(long, 40, "background");
  const interactive = new FakeJob(prompt(5, 2), 5);
  scheduler.add(background);
  let addedAt = 0;
  let endedAt = 0;
  steps.onPass = (at) => {
    if (background.reply.length === 9 && addedAt === 0) {
      addedAt = at;
      scheduler.add(interactive);
    }
    if (interactive.isOver) endedAt ||= at;
  };
  await Promise.all([background.ended, interactive.ended]);
  expect([interactive.reply, background.reply]).toEqual([replyTo(prompt(5, 2), 5), replyTo(long, 40)]);
  // The step that ran, then its own alone.
  expect(endedAt - addedAt).toBeLessThanOrEqual(interactive.reply.length + 2);
  expect(background.suspensions).toBe(1);
  expect(cache.pages.active).toBe(0);
});

test("a further reply gives way once, and ends however many requests keep coming", async () => {
  const { steps, scheduler } = start(2, 1024);
  const further = new FakeJob(longPrompt(), 40, "further");
  const chats: FakeJob[] = [];
  const keepComing = (): void => {
    while (!further.isOver && chats.filter(({ isOver }) => !isOver).length < 3) {
      chats.push(new FakeJob(prompt(3, chats.length), 9));
      scheduler.add(chats.at(-1)!);
    }
  };
  scheduler.add(further);
  steps.onPass = (at) => {
    if (at > 5) keepComing();
    if (at > 400) for (const chat of chats) chat.isAborted = true;
  };
  await further.ended;
  expect(further.suspensions).toBe(1);
  expect(further.reply).toEqual(replyTo(further.prompt, 40));
  expect(steps.passes.length).toBeLessThan(400);
  for (const chat of chats) await chat.ended;
});

test("a background prompt that is scored goes on where others interrupted it", async () => {
  const { steps, scheduler } = start(1, 1024);
  const scored = new FakeJob(prompt(400), 1, "background");
  scored.scores = [];
  const others: FakeJob[] = [];
  steps.onPass = (at) => {
    if (at % 8 !== 0 || scored.outcome || others.length === 100) return;
    others.push(new FakeJob(prompt(5, at), 1));
    scheduler.add(others.at(-1)!);
  };
  scheduler.add(scored);
  await scored.ended;
  expect(scored.scores).toEqual(scoresOf(scored.prompt));
  expect(scored.suspensions).toBeGreaterThan(2);
  // What is computed again after each is a part of a page.
  const passes = Math.ceil(400 / steps.scoredAtOnce);
  expect(steps.passes.length).toBeLessThan(2 * passes + 3 * others.length);
});
