import { expect, test } from "vitest";
import { EngineError } from "../../../../../worker/engine-api/engine-error.ts";
import { FakeJob, prompt, replyTo, start } from "../../../../fakes/fake-jobs.ts";

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

test("a reply whose end throws, too, takes no other one with it: neither alone nor when a step fails", async () => {
  const fault = { at: "fail", error: new Error("memory access out of bounds") } as const;
  for (const isStep of [false, true]) {
    const { cache, steps, scheduler } = start(4, 256);
    const jobs = [0, 1, 2].map((at) => new FakeJob(prompt(5, at + 1), 12));
    jobs[0]!.fault = fault;
    jobs[0]!.prepare = async () => {
      if (!isStep) throw new Error("bad grammar");
    };
    steps.onPass = (at) => {
      if (isStep && at === 4) throw new Error("the device is gone");
    };
    for (const job of jobs) scheduler.add(job);
    for (const job of jobs) await job.ended;
    const outcomes = jobs.map(({ outcome }) => (outcome as EngineError).code ?? outcome);
    if (isStep) expect(outcomes).toEqual(["engine_lost", "engine_lost", "engine_lost"]);
    else expect([outcomes[0], cache.pages.active]).toEqual(["reply_failed", 0]);
    if (!isStep) for (const job of jobs.slice(1)) expect(job.reply).toEqual(replyTo(job.prompt, 12));
  }
});

test("what one reply's own part throws ends this reply alone", async () => {
  const own = new EngineError("invalid_request", "bad grammar");
  for (const at of ["prepare", "row", "take", "finish"] as const) {
    for (const [error, code] of [
      [own, "invalid_request"],
      [new TypeError("bad logits"), "reply_failed"],
      [new EngineError("engine_failed", "said by a part"), "reply_failed"],
    ] as const) {
      const { cache, scheduler } = start(4, 256);
      const jobs = Array.from({ length: 4 }, (_, which) => new FakeJob(prompt(40, which + 1), 12));
      jobs[1]!.fault = { at, error };
      for (const job of jobs) scheduler.add(job);
      for (const [which, job] of jobs.entries()) {
        await job.ended;
        if (which === 1) expect([at, job.outcome]).toMatchObject([at, { code }]);
        else expect([at, job.reply]).toEqual([at, replyTo(job.prompt, 12)]);
      }
      const next = new FakeJob(prompt(20), 5);
      scheduler.add(next);
      await next.ended;
      expect(next.reply).toEqual(replyTo(next.prompt, 5));
      expect(cache.pages.active).toBe(0);
    }
  }
});

test("after a WebAssembly module aborted, running replies end as alone, and all others get a new engine", async () => {
  const { scheduler, steps } = start(2, 256);
  const running = new FakeJob(prompt(20), 30);
  const refused = new FakeJob(prompt(20, 2), 5);
  const behind = new FakeJob(prompt(20, 3), 5);
  const cause = new WebAssembly.RuntimeError("Aborted()");
  refused.fault = { at: "prepare", error: new EngineError("invalid_request", "bad grammar", { cause }) };
  scheduler.add(running);
  steps.onPass = (at) => {
    if (at === 3) for (const job of [refused, behind]) scheduler.add(job);
  };
  await Promise.all([running, refused, behind].map(({ ended }) => ended));
  expect(refused.outcome).toMatchObject({ code: "invalid_request" });
  expect(running.reply).toEqual(replyTo(running.prompt, 30));
  expect(behind.outcome).toMatchObject({ code: "engine_lost" });
  const late = new FakeJob(prompt(20, 4), 5);
  scheduler.add(late);
  await late.ended;
  expect(late.outcome).toMatchObject({ code: "engine_lost" });
});
