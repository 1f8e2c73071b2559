import { describe, expect, test } from "vitest";
import { chooseContext } from "../../../../worker/engines/memory/choose-context.ts";
import { fc } from "../../../support/random.ts";

const GB = 2 ** 30;

/** A model of 2 GB, with 100 kB of keys and values for each token. */
const model = { ownContext: 131_072, bytesAt: (window: number) => 2 * GB + window * 100_000 };
const room = (freeBytes: number, mostBytes = Number.POSITIVE_INFINITY, idleBytes = 0) => ({
  freeBytes,
  idleBytes,
  mostBytes,
});

describe("without an explicit window", () => {
  test("8,192 tokens where they fit, and the model's own where that is less", () => {
    expect(chooseContext({}, model)).toMatchObject({
      contextWindow: 8_192,
      maxContextWindow: 131_072,
      memoryBytes: 2 * GB + 819_200_000,
      notes: [],
    });
    expect(chooseContext({}, { ...model, ownContext: 2_048 }).contextWindow).toBe(2_048);
    expect(chooseContext({ maxContextWindow: 1_000 }, model)).toMatchObject({
      contextWindow: 1_000,
      maxContextWindow: 1_000,
    });
  });

  test("an infinite window of the model's own is one of 32 bits", () => {
    const endless = { ...model, ownContext: Number.POSITIVE_INFINITY };
    expect(chooseContext({}, endless)).toMatchObject({ contextWindow: 8_192, maxContextWindow: 2 ** 31 - 1 });
  });

  test("less beside other models, but 4,096 as long as memory is only estimated", () => {
    expect(chooseContext({ room: room(2 * GB + 600_000_000) }, model).contextWindow).toBe(5_888);
    expect(chooseContext({ room: room(GB) }, model)).toMatchObject({ contextWindow: 4_096, notes: [] });
  });

  test("with what idle models leave where they have to go anyway", () => {
    const short = room(GB, Number.POSITIVE_INFINITY, 2 * GB);
    expect(chooseContext({ room: short }, model).contextWindow).toBe(8_192);
    const enough = room(2 * GB + 500_000_000, Number.POSITIVE_INFINITY, 2 * GB);
    expect(chooseContext({ room: enough }, model).contextWindow).toBe(4_864);
  });

  test("a later load asks for 4,096 tokens, so that two models stay side by side; an explicit window is asked for whole", () => {
    expect(chooseContext({}, model).neededBytes).toBe(model.bytesAt(4_096));
    expect(chooseContext({ contextWindow: 8_192 }, model).neededBytes).toBe(model.bytesAt(8_192));
    expect(chooseContext({ maxContextWindow: 1_000 }, model).neededBytes).toBe(model.bytesAt(1_000));
  });

  test("the largest that fits into a strict budget, and says so", () => {
    const strict = 2 * GB + 200_000_000;
    expect(chooseContext({ room: room(strict, strict) }, model)).toMatchObject({
      contextWindow: 1_792,
      notes: [expect.stringMatching(/1,792 tokens.*no memory for more; the model's own is 131,072/)],
    });
    expect(() => chooseContext({ room: room(GB, GB) }, model)).toThrow(
      expect.objectContaining({
        code: "insufficient_memory",
        message: expect.stringContaining("1.0 GB are"),
      }),
    );
  });
});

describe("an explicit window", () => {
  test("is served if it fits, whatever other idle models take, and however small it is", () => {
    expect(chooseContext({ contextWindow: 100_000, room: room(0) }, model).contextWindow).toBe(100_000);
    expect(chooseContext({ contextWindow: 16 }, model).contextWindow).toBe(16);
  });

  test("is refused if it does not, with the largest that does", () => {
    const settings = { contextWindow: 40_000, room: room(4 * GB, 4 * GB) };
    expect(() => chooseContext(settings, model)).toThrow(
      expect.objectContaining({
        code: "insufficient_memory",
        param: "contextWindow",
        message:
          "A context window of 40,000 tokens needs about 5.7 GB of memory, and 4.0 GB are available. The largest that fits is 21,248: set contextWindow to at most 21248.",
      }),
    );
    expect(chooseContext({ ...settings, contextWindow: 21_248 }, model).contextWindow).toBe(21_248);
  });

  test("is refused where a buffer of the graphics card would be too large", () => {
    expect(() => chooseContext({ contextWindow: 40_000 }, { ...model, deviceTokens: 32_768 })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/WebGPU limits.*at most 32768/) }),
    );
  });

  test("beyond the model's own is that, with a note", () => {
    expect(chooseContext({ contextWindow: 200_000 }, model)).toMatchObject({
      contextWindow: 131_072,
      notes: ["The context window is 131,072 tokens, the model's own, not the 200,000 asked for."],
    });
  });
});

test("what is chosen fits, what is refused does not, and the window that is named instead fits", () => {
  const whole = (max: number) => fc.integer({ min: 1, max });
  const option = (max: number) => fc.option(whole(max), { nil: undefined });
  const cases = fc.record({
    own: whole(300_000),
    perToken: whole(500_000),
    fixed: whole(5 * GB),
    device: whole(8 * GB),
    wanted: option(400_000),
    budget: option(8 * GB),
    deviceTokens: option(300_000),
  });
  fc.assert(
    fc.property(cases, ({ own, perToken, fixed, device, wanted, budget, deviceTokens = 300_000 }) => {
      const needs = {
        ownContext: own,
        bytesAt: (window: number) => fixed + window * perToken,
        deviceBytes: device,
        deviceTokens,
      };
      const settings = {
        ...(wanted === undefined ? {} : { contextWindow: wanted }),
        ...(budget === undefined ? {} : { room: room(budget, budget) }),
      };
      const most = Math.min(device, budget ?? device);
      const fits = (window: number): boolean =>
        window <= Math.min(own, deviceTokens) && needs.bytesAt(window) <= most;
      try {
        const { contextWindow, memoryBytes } = chooseContext(settings, needs);
        expect(contextWindow).toBeGreaterThanOrEqual(1);
        expect(fits(contextWindow)).toBe(true);
        expect(memoryBytes).toBe(needs.bytesAt(contextWindow));
        if (wanted !== undefined) expect(contextWindow).toBe(Math.min(wanted, own));
      } catch (error) {
        const named = /at most (\d+)/.exec((error as Error).message)?.[1];
        expect(fits(named ? Math.min(wanted!, own) : Math.min(own, wanted ?? own, 512))).toBe(false);
        if (named) expect(fits(Number(named))).toBe(true);
      }
    }),
  );
});
