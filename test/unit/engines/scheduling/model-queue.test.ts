import { setMaxListeners } from "node:events";
import { expect, test } from "vitest";
import { ModelQueue, type Priority, type Turn } from "../../../../worker/engines/scheduling/model-queue.ts";
import { fc } from "../../../support/random.ts";

const never = new AbortController().signal;
// Many requests wait with it at once; Node would report a leak from the eleventh on.
setMaxListeners(0, never);

test("one at a time, first come first served, whoever leaves in between", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 20 }), async (leaves) => {
      const queue = new ModelQueue(100);
      const served: number[] = [];
      let inside = 0;
      const first = await queue.enter(never);
      const waits = leaves.map(async (leave, at) => {
        const abort = new AbortController();
        const entered = queue.enter(abort.signal);
        if (leave) abort.abort(new Error("left"));
        try {
          const turn = await entered;
          expect(++inside).toBe(1);
          served.push(at);
          await Promise.resolve();
          inside--;
          turn.release();
          turn.release();
        } catch (error) {
          expect((error as Error).message).toBe("left");
        }
      });
      first.release();
      await Promise.all(waits);
      expect(served).toEqual(leaves.flatMap((leave, at) => (leave ? [] : [at])));
      (await queue.enter(never)).release();
    }),
  );
});

test("a full queue refuses, and takes again once there is room", async () => {
  const queue = new ModelQueue(1);
  const running = await queue.enter(never);
  const waiting = queue.enter(never);
  const message = "The model's queue of 1 is full. Try again in a moment.";
  await expect(queue.enter(never)).rejects.toMatchObject({ code: "queue_full", message });
  running.release();
  const next = queue.enter(never);
  (await waiting).release();
  (await next).release();
});

test("who aborted before coming never enters", async () => {
  await expect(new ModelQueue(1).enter(AbortSignal.abort(new Error("early")))).rejects.toThrow("early");
});

test("whoever is interactive overtakes background work, which keeps its own order and fills no queue", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Priority>("interactive", "background"), { maxLength: 20 }),
      async (all) => {
        const queue = new ModelQueue(all.filter((priority) => priority === "interactive").length);
        const first = await queue.enter(never, { priority: "background" });
        const served: string[] = [];
        const waits = all.map(async (priority, at) => {
          const turn = await queue.enter(never, { priority });
          served.push(`${priority} ${at}`);
          turn.release();
        });
        first.release();
        await Promise.all(waits);
        const names = all.map((priority, at) => `${priority} ${at}`);
        const of = (priority: string) => names.filter((name) => name.startsWith(priority));
        expect(served).toEqual([...of("interactive"), ...of("background")]);
      },
    ),
  );
});

test("first come, first served, in whatever order they were ready to wait", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...Array(20).keys()], { minLength: 20 }),
      fc.array(fc.constantFrom<Priority>("interactive", "background"), { minLength: 20, maxLength: 20 }),
      async (arrivals, priorities) => {
        const queue = new ModelQueue(20);
        const first = await queue.enter(never);
        const served: number[] = [];
        const waits = arrivals.map(async (arrival) => {
          const turn = await queue.enter(never, { arrival, priority: priorities[arrival]! });
          served.push(arrival);
          turn.release();
        });
        first.release();
        await Promise.all(waits);
        const all = [...arrivals].sort((a, b) => a - b);
        const of = (priority: Priority) => all.filter((arrival) => priorities[arrival] === priority);
        expect(served).toEqual([...of("interactive"), ...of("background")]);
      },
    ),
  );
});

test("several run at a time: background requests leave one place, or their own, and who runs alone has no company", async () => {
  const request = fc.record({
    priority: fc.constantFrom<Priority>("interactive", "background"),
    isAlone: fc.boolean(),
    isFurther: fc.boolean(),
    steps: fc.integer({ min: 1, max: 5 }),
    leaves: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { maxLength: 30 }),
      fc.integer({ min: 1, max: 8 }),
      fc.boolean(),
      async (list, width, suspends) => {
        const queue = new ModelQueue(100);
        queue.adapt({ parallel: width, suspends });
        const inside = new Set<(typeof list)[number]>();
        let most = 0;
        // Where one runs at a time, no request has two.
        const requests = list.map((one) => ({ ...one, isFurther: one.isFurther && width > 1 }));
        const all = requests.map(async (one, arrival) => {
          const abort = new AbortController();
          const entered = queue.enter(abort.signal, { ...one, arrival });
          if (one.leaves) abort.abort(new Error("left"));
          const turn = await entered.catch(() => undefined);
          if (!turn) return;
          inside.add(one);
          most = Math.max(most, inside.size);
          const background = [...inside].filter(({ priority }) => priority === "background").length;
          expect(background).toBeLessThanOrEqual(Math.max(1, width - 1));
          expect(inside.size - (suspends ? background : 0)).toBeLessThanOrEqual(width);
          const further = [...inside].filter(({ isFurther }) => isFurther).length;
          expect(further).toBeLessThanOrEqual(width - 1);
          if ([...inside].some(({ isAlone }) => isAlone)) expect(inside.size).toBe(1);
          for (let step = 0; step < one.steps; step++) await Promise.resolve();
          inside.delete(one);
          turn.release();
        });
        await Promise.all(all);
        const several = requests.filter(
          (one) => !one.isAlone && !one.isFurther && one.priority === "interactive",
        );
        // One that leaves at once may have entered before.
        const staying = list.filter(({ leaves }) => !leaves).length;
        if (several.length === list.length) expect(most).toBeGreaterThanOrEqual(Math.min(width, staying));
        (await queue.enter(never, { isAlone: true })).release();
      },
    ),
  );
});

test.each([1, 2, 4])(
  "an engine that suspends background requests gets %i others beside them",
  async (width) => {
    const queue = new ModelQueue(0);
    queue.adapt({ parallel: width, suspends: true });
    const lines: Turn[] = [];
    for (let line = 0; line < queue.backgroundPlaces; line++)
      lines.push(await queue.enter(never, { priority: "background" }));
    const chats: Turn[] = [];
    for (let chat = 0; chat < width; chat++) chats.push(await queue.enter(never));
    await expect(queue.enter(never)).rejects.toMatchObject({ code: "queue_full" });
    let hasBegun = false;
    const line = queue.enter(never, { priority: "background" }).then((turn) => {
      hasBegun = true;
      return turn;
    });
    for (const turn of lines) turn.release();
    await Promise.resolve();
    expect(hasBegun).toBe(false);
    for (const turn of chats) turn.release();
    (await line).release();
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  },
);

test("another engine, which suspends none: nobody enters until there is room", async () => {
  const queue = new ModelQueue(9);
  queue.adapt({ parallel: 2, suspends: true });
  const turns = [await queue.enter(never, { priority: "background" })];
  for (let chat = 0; chat < 2; chat++) turns.push(await queue.enter(never));
  queue.adapt({});
  const next = queue.enter(never);
  expect([queue.running, queue.waiting]).toEqual([1, 3]);
  for (const turn of turns) turn.release();
  (await next).release();
});

test("draining comes after all that run or wait, and before all that come", async () => {
  const queue = new ModelQueue(9);
  queue.adapt({ parallel: 2 });
  const order: string[] = [];
  const enter = async (arrival: number, priority: Priority = "interactive"): Promise<void> => {
    const turn = await queue.enter(never, { arrival, priority });
    await Promise.resolve();
    order.push(String(arrival));
    turn.release();
  };
  const all = [enter(1), enter(2, "background"), enter(3), enter(4, "background")];
  const drained = queue.drain().then(async (turn) => {
    await Promise.resolve();
    order.push("drained");
    turn.release();
  });
  all.push(enter(5), enter(6, "background"));
  await Promise.all([...all, drained]);
  expect(order.slice(0, 4).toSorted()).toEqual(["1", "2", "3", "4"]);
  expect(order.slice(4)).toEqual(["drained", "5", "6"]);
});

test("draining comes after all replies of a request that gives way between them, and fills no queue", async () => {
  const queue = new ModelQueue(1);
  const turn = await queue.enter(never, { arrival: 1 });
  const order: string[] = [];
  const all = [
    queue.enter(never, { arrival: 2 }).then((other) => {
      order.push("other");
      other.release();
    }),
    ...[false, true].map(async (isLast) => {
      const drained = await queue.drain(isLast);
      order.push(isLast ? "deleted" : "unloaded");
      drained.release();
    }),
  ];
  for (const choice of [2, 3]) {
    await turn.giveWay(never);
    order.push(`choice ${choice}`);
  }
  expect(queue.waiting).toBe(0);
  all.push(
    queue.enter(never, { arrival: 3 }).then((later) => {
      order.push("later");
      later.release();
    }),
  );
  turn.release();
  await Promise.all(all);
  expect(order).toEqual(["other", "choice 2", "choice 3", "unloaded", "later", "deleted"]);
});

test("a repeated request is not refused by a full queue, and a background one that runs alone gets its turn", async () => {
  const queue = new ModelQueue(1);
  queue.adapt({ parallel: 2 });
  const running = [await queue.enter(never), await queue.enter(never)];
  const waiting = queue.enter(never, { arrival: 9 });
  await expect(queue.enter(never, { isAlone: true })).rejects.toMatchObject({ code: "queue_full" });
  const place = { priority: "background", arrival: 1, isAlone: true, isRepeated: true } as const;
  const repeated = queue.enter(never, place);
  const interactive = queue.enter(never, { ...place, priority: "interactive", arrival: 2, isAlone: false });
  for (const turn of running) turn.release();
  const alone = await repeated;
  let hasStarted = false;
  void interactive.then(() => {
    hasStarted = true;
  });
  await Promise.resolve();
  expect(hasStarted).toBe(false);
  alone.release();
  (await interactive).release();
  (await waiting).release();
});

test("further replies of one request leave a place free, come last, and are never refused", async () => {
  const queue = new ModelQueue(1);
  queue.adapt({ parallel: 4 });
  const own = await queue.enter(never, { arrival: 1 });
  const further = { arrival: 1, isFurther: true };
  const two = [await queue.enter(never, further), await queue.enter(never, further)];
  const started: string[] = [];
  const wait = (name: string, place: Parameters<typeof queue.enter>[1]) =>
    queue.enter(never, place).then((turn) => {
      started.push(name);
      return turn;
    });
  const fourth = wait("further", further);
  const short = await wait("short", { arrival: 2 });
  const next = wait("next", { arrival: 3 });
  const background = wait("background", { arrival: 4, priority: "background" });
  await expect(queue.enter(never, { arrival: 5 })).rejects.toMatchObject({ code: "queue_full" });
  expect(started).toEqual(["short"]);
  own.release();
  (await next).release();
  // The engine runs neither while two further replies and a short one leave a single row.
  expect(started).toEqual(["short", "next"]);
  two[0]!.release();
  (await background).release();
  (await fourth).release();
  expect(started).toEqual(["short", "next", "background", "further"]);
  for (const turn of [short, two[1]!]) turn.release();
  (await queue.enter(never, { isAlone: true })).release();
});

test("a turn that gives way comes after all that wait, but those of lower rank, and before all that come", async () => {
  const queue = new ModelQueue(9);
  const turn = await queue.enter(never, { arrival: 1 });
  const order: string[] = [];
  const wait = (name: string, place: Parameters<typeof queue.enter>[1]) =>
    queue.enter(never, place).then((other) => {
      order.push(name);
      other.release();
    });
  const all = [
    wait("background", { arrival: 9, priority: "background" }),
    queue.drain(true).then((other) => {
      order.push("release");
      other.release();
    }),
  ];
  await turn.giveWay(never);
  expect(order).toEqual([]);
  all.push(wait("second", { arrival: 4, isAlone: true, isRepeated: true }), wait("first", { arrival: 3 }));
  const again = turn.giveWay(never).then(() => order.push("again"));
  all.push(wait("later", { arrival: 5 }));
  await again;
  turn.release();
  await Promise.all(all);
  expect(order).toEqual(["first", "second", "again", "later", "background", "release"]);
});

test("an abort while it gives way leaves it without a turn; one that was alone gets company", async () => {
  const queue = new ModelQueue(9);
  queue.adapt({ parallel: 2 });
  const turn = await queue.enter(never, { arrival: 1, isAlone: true });
  const next = queue.enter(never, { arrival: 2 });
  await turn.giveWay(never);
  const [second, third] = [await next, queue.enter(never, { arrival: 3 })];
  const abort = new AbortController();
  const again = turn.giveWay(abort.signal);
  const last = await third;
  abort.abort(new Error("left"));
  await expect(again).rejects.toThrow("left");
  turn.release();
  expect(queue.running).toBe(2);
  for (const one of [second, last]) one.release();
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

test("one that was aborted before it gives way leaves its turn at once", async () => {
  const queue = new ModelQueue(9);
  const turn = await queue.enter(never, { arrival: 1 });
  const others = [2, 3].map((arrival) => queue.enter(never, { arrival }));
  await expect(turn.giveWay(AbortSignal.abort(new Error("left")))).rejects.toThrow("left");
  turn.release();
  expect([queue.running, queue.waiting]).toEqual([1, 1]);
  for (const other of others) (await other).release();
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

test("beside an interactive request, background ones leave the place free that the engine keeps free", async () => {
  const queue = new ModelQueue(10);
  queue.adapt({ parallel: 4 });
  const background = { priority: "background" as const };
  const lines = [];
  for (let line = 0; line < 3; line++) lines.push(await queue.enter(never, { ...background, arrival: line }));
  await queue.enter(never, { arrival: 3 });
  const next = queue.enter(never, { ...background, arrival: 4 });
  lines[0]!.release();
  await Promise.resolve();
  expect([queue.running, queue.waiting]).toEqual([3, 1]);
  await queue.enter(never, { arrival: 5 });
  expect([queue.running, queue.waiting]).toEqual([4, 1]);
  lines[1]!.release();
  lines[2]!.release();
  await next;
  expect([queue.running, queue.waiting]).toEqual([3, 0]);
});

test("on an engine with one place that replaced a wider one, a further reply gets a turn", async () => {
  const queue = new ModelQueue(9);
  queue.adapt({ parallel: 2 });
  const own = await queue.enter(never, { arrival: 1 });
  const further = queue.enter(never, { arrival: 1, isFurther: true });
  queue.adapt({});
  const other = queue.enter(never, { arrival: 2 });
  const returned = own.giveWay(never);
  const lost = await other;
  const repeated = lost.beAlone(never);
  await returned;
  const again = own.giveWay(never);
  await Promise.resolve();
  expect([queue.running, queue.waiting]).toEqual([1, 2]);
  (await further).release();
  await repeated;
  lost.release();
  await again;
  own.release();
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});
