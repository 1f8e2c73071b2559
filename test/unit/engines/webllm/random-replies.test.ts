import { expect, test } from "vitest";
import type { EngineStep, GenerateRequest, ReplyRank } from "../../../../worker/engine-api/chat-engine.ts";
import { randomStream, UniformNumbers } from "../../../../worker/engines/chat/random-stream.ts";
import { startRandomModel } from "../../../fakes/random-model.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";
import { fc } from "../../../support/random.ts";

const NEVER = new AbortController().signal;
const BEGINNINGS = ["a<b|", "bé", "ab|<a"].map((text) => [...Buffer.from(text.repeat(80))]);

const grammar = fc.record({
  length: fc.integer({ min: 1, max: 9 }),
  /** Whether it is refused, its mask fails, or it refuses a token. */
  fault: fc.constantFrom("", "", "prepare", "mask", "accept"),
});
const asked = fc.noBias(
  fc.record({
    begin: fc.constantFrom(0, 1, 2),
    /** Of the context. */
    share: fc.constantFrom(0, 0.1, 0.5, 0.6, 0.9, 1),
    tail: fc.array(fc.constantFrom(97, 98, 99), { maxLength: 6 }),
    scope: fc.constantFrom("one", "one", "two"),
    rank: fc.constantFrom<ReplyRank>("first", "further", "background"),
    sampling: fc.record({
      maxTokens: fc.constantFrom(1, 2, 20, 60, undefined),
      frequencyPenalty: fc.constantFrom(0, 0, 1),
      topK: fc.constantFrom(0, 0, 3),
      logitBias: fc.constantFrom({}, {}, { 97: 2, 60: -100 }),
      ignoreEos: fc.constantFrom(false, false, true),
    }),
    stop: fc.constantFrom([], [], ["é"], ["ab", "ba"]),
    topLogprobs: fc.constantFrom(undefined, undefined, 2),
    grammar: fc.option(grammar, { freq: 5 }),
    at: fc.integer({ min: 0, max: 80 }),
    end: fc.oneof(
      { weight: 4, arbitrary: fc.constant({ by: "itself", after: 0 }) },
      {
        weight: 2,
        arbitrary: fc.record({ by: fc.constant("abort"), after: fc.integer({ min: 1, max: 12 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ by: fc.constant("leave"), after: fc.integer({ min: 1, max: 3 }) }),
      },
    ),
  }),
);
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

const engines = fc.record({
  context: fc.constantFrom(47, 48, 97, 130, 250),
  spare: fc.constantFrom(0, 0, 1, 20),
  width: fc.integer({ min: 1, max: 8 }),
  stopStr: fc.constantFrom<string[]>([], ["<|b"], ["|", "a<|"]),
});

function requestOf(one: Asked, at: number, context: number): GenerateRequest {
  const begin = BEGINNINGS[one.begin]!.slice(0, 1 + Math.floor(one.share * (context - 2)));
  const { stop, scope, rank, topLogprobs, grammar } = one;
  return {
    prompt: [...begin, ...one.tail].slice(0, context - 2),
    cacheScope: scope,
    sampling: { ...neutralSampling, ...one.sampling, ...(grammar ? { logitBias: {} } : {}) },
    randomState: randomStream(at, 0),
    reader: { stop },
    rank,
    ...(grammar ? { constraint: { type: "grammar", ebnf: JSON.stringify(grammar) } } : {}),
    ...(topLogprobs === undefined ? {} : { topLogprobs }),
  };
}

/** What a reader has of a reply. */
async function read(steps: AsyncIterable<EngineStep>, leaveAfter = 0) {
  const got = { text: "", logprobs: [] as unknown[], last: undefined as EngineStep | undefined, code: "" };
  let count = 0;
  try {
    for await (const step of steps) {
      got.last = step;
      if (step.type === "reply") {
        got.logprobs.push(...step.logprobs);
        for (const event of step.events) if (event.type === "text") got.text += event.text;
      }
      if (++count === leaveAfter) break;
    }
  } catch (error) {
    got.code = (error as { code: string }).code;
  }
  return got;
}

/** A reply of a request among others. */
class Asking {
  readonly abort = new AbortController();
  readonly ids: readonly number[];
  readonly numbers: UniformNumbers;
  /** The number that draws its next token. */
  next: number;
  drawn = 0;
  got: Promise<Awaited<ReturnType<typeof read>>> | undefined;

  constructor(
    readonly one: Asked,
    readonly request: GenerateRequest,
  ) {
    this.ids = [1, ...(request.prompt as readonly number[])];
    this.numbers = new UniformNumbers(request.randomState);
    this.next = this.numbers.next();
  }
}

test("replies, their usage and their failures are those of each alone, whatever their company and its ends", async () => {
  const counts = { whole: 0, aborted: 0, left: 0, failed: 0, cached: 0 };
  await fc.assert(
    fc.asyncProperty(engines, fc.array(asked, { minLength: 14, maxLength: 14 }), async (info, list) => {
      const { engine, cache, model } = startRandomModel(info);
      const all = list.map((one, at) => new Asking(one, requestOf(one, at, info.context)));
      const begin = (isDue: (one: Asking) => boolean): void => {
        for (const asking of all.filter((one) => !one.got && isDue(one))) {
          const { end } = asking.one;
          const steps = engine.generate(asking.request, asking.abort.signal);
          asking.got = read(steps, end.by === "leave" ? end.after : 0);
        }
      };
      model.onDraw = (uniform, tokens) => {
        const asking = all.find(
          ({ next, ids }) => next === uniform && ids.every((id, at) => id === tokens[at]),
        );
        expect(tokens.length).toBe(asking!.ids.length + asking!.drawn++);
        asking!.next = asking!.numbers.next();
        const { by, after } = asking!.one.end;
        if (by === "abort" && asking!.drawn >= after) asking!.abort.abort();
      };
      model.onPass = (at) => begin(({ one }) => one.at <= at);
      begin(({ one }) => one.at < 20);
      for (const asking of all) {
        begin((one) => one === asking);
        const got = await asking.got!;
        const alone = await read(
          startRandomModel({ ...info, width: 1 }).engine.generate(asking.request, NEVER),
        );
        if (asking.one.end.by === "leave" && got.last?.type !== "finish" && !got.code) {
          counts.left++;
          continue;
        }
        const last = got.last?.type === "finish" ? got.last : undefined;
        if (last) {
          expect(last.usage.promptTokens).toBe(asking.ids.length);
          expect(last.usage.completionTokens).toBe(asking.drawn);
          if (last.usage.cachedTokens > 0) counts.cached++;
          // Of more characters in a row that are none, four are told that may be part of one.
          if (last.raw !== undefined && !/\uFFFD{3}/.test(last.raw)) expect(got.text).toBe(last.raw);
        }
        if (last?.reason === "abort") {
          expect(asking.abort.signal.aborted).toBe(true);
          expect(alone.text.slice(0, got.text.length)).toBe(got.text);
          counts.aborted++;
          continue;
        }
        if (asking.one.end.by === "leave") continue;
        const whole = ({ last: end, ...rest }: typeof got) => ({
          ...rest,
          ...(end?.type === "finish" ? { reason: end.reason, raw: end.raw } : {}),
        });
        expect(whole(got)).toEqual(whole(alone));
        if (got.code) counts.failed++;
        else counts.whole++;
      }
      expect([cache.pages.active, cache.tokens.active, model.grammars]).toEqual([0, 0, 0]);
      cache.verify();
    }),
    { numRuns: 24, endOnFailure: true },
  );
  for (const [what, count] of Object.entries(counts)) expect([what, count > 0]).toEqual([what, true]);
});
