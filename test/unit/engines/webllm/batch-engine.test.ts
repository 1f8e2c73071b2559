import { expect, test } from "vitest";
import type { EngineStep, GenerateRequest } from "../../../../worker/engine-api/chat-engine.ts";
import { BatchEngine } from "../../../../worker/engines/webllm/batch-engine.ts";
import { SequenceCache } from "../../../../worker/engines/webllm/kv/sequence-cache.ts";
import type { LoadedModel } from "../../../../worker/engines/webllm/load-model.ts";
import { BatchSize } from "../../../../worker/engines/webllm/schedule/batch-size.ts";
import type { Feed } from "../../../../worker/engines/webllm/step/forward.ts";
import type { StepRow, StepRunner } from "../../../../worker/engines/webllm/step/step-runner.ts";
import { PromptTokens } from "../../../../worker/engines/webllm/text/prompt-tokens.ts";
import type { Pipeline } from "../../../../worker/engines/webllm/tvm/pipeline.ts";
import { PagedKvState } from "../../../fakes/paged-kv-state.ts";
import { neutralSampling } from "../../../support/neutral-sampling.ts";

const CONTEXT = 2048;
const END = 3;
const encoder = new TextEncoder();

/** A tokenizer of bytes, and a model that answers with `reply` to any prompt. */
function start(reply: string, grammar: Partial<Pipeline> = {}, width = 1) {
  const state = new PagedKvState(CONTEXT);
  const fed: number[] = [];
  let onFeed = (): void => {};
  let next = 0;
  const steps = {
    async feed({ sequence, ids }: Feed) {
      state.feed(sequence, ids);
      fed.push(ids.length);
      onFeed();
    },
    async sample(rows: readonly StepRow[]) {
      for (const { mask, process } of rows) {
        await mask?.();
        process?.(new Float32Array(256));
      }
      return rows.map(({ sequence, ids }) => {
        state.feed(sequence, ids);
        if (ids.length > 1) next = 0;
        fed.push(ids.length);
        onFeed();
        return encoder.encode(reply)[next++] ?? END;
      });
    },
  };
  const encoded: string[] = [];
  const tokenizer = {
    encode: (text: string) => {
      encoded.push(text);
      return Int32Array.from(encoder.encode(text));
    },
    decode: (ids: Int32Array) => new TextDecoder().decode(Uint8Array.from(ids)),
    idToToken: (id: number) => String.fromCharCode(id),
  };
  const pipeline = {
    tokenizer,
    stopTokens: [END],
    stopStr: [],
    contextWindowSize: CONTEXT,
    prefillChunkSize: 1024,
    ...grammar,
  };
  const model = {
    pipeline,
    prefix: [1],
    prompts: new PromptTokens(tokenizer),
    tokenForm: "raw",
    info: { contextWindow: CONTEXT },
  } as unknown as LoadedModel;
  const cache = new SequenceCache(state, { pages: state.availablePages(), pageSize: 16 });
  const engine = new BatchEngine(model, steps as unknown as StepRunner, cache, new BatchSize(width, false));
  const during = (work: () => void): void => {
    onFeed = work;
  };
  return { engine, cache, fed, during, encoded };
}

function request(prompt: string, more: Partial<GenerateRequest["sampling"]> = {}, stop: string[] = []) {
  const sampling = { ...neutralSampling, ...more };
  return {
    prompt,
    cacheScope: "",
    sampling,
    randomState: 1n,
    reader: { stop },
  } as unknown as GenerateRequest;
}

async function collect(steps: AsyncIterable<EngineStep>) {
  const all: EngineStep[] = [];
  for await (const step of steps) all.push(step);
  const last = all.at(-1);
  if (last?.type !== "finish") throw new Error("The reply has no end.");
  const text = all
    .flatMap((step) => (step.type === "reply" ? step.events : []))
    .map((event) => (event.type === "text" ? event.text : ""))
    .join("");
  return { ...last, text };
}

const NEVER = new AbortController().signal;

test("a reply ends at the end token, at the limit, or at a stop string, and its tokens stay for the next turn", async () => {
  const { engine } = start("good day");
  const beginning = "hi ".repeat(40);
  const whole = await collect(engine.generate(request(beginning), NEVER));
  expect(whole).toMatchObject({ text: "good day", reason: "stop", raw: "good day" });
  expect(whole.usage).toMatchObject({ promptTokens: 121, cachedTokens: 0, completionTokens: 9 });
  const next = await collect(
    engine.generate(request(`${beginning}good day, and now?`, { maxTokens: 4 }), NEVER),
  );
  expect(next).toMatchObject({ text: "good", reason: "length" });
  expect(next.usage).toMatchObject({ promptTokens: 139, cachedTokens: 129, completionTokens: 4 });
  const cut = await collect(engine.generate(request(`${beginning}good day, and now?`, {}, ["d d"]), NEVER));
  expect(cut).toMatchObject({ text: "goo", reason: "stop" });
  expect(cut.raw).toBeUndefined();
  expect(cut.usage.cachedTokens).toBe(137);
});

test("a reply that fills the KV cache before its context ends with the text that might have become a stop text", async () => {
  const room = 18;
  const reply = `${"a".repeat(room - 2)}<|im|>`;
  const { engine } = start(reply, { stopStr: ["<|im_end|>"], contextWindowSize: 2 * CONTEXT });
  const positions = new PagedKvState(CONTEXT).availablePages() * 16;
  const prompt = "x".repeat(positions - room);
  const ended = await collect(engine.generate(request(prompt), NEVER));
  expect(ended).toMatchObject({ text: reply.slice(0, room), reason: "length" });
  expect(ended.usage.completionTokens).toBe(room);
});

test("an abort in a long prompt takes effect after the chunk, and what was fed stays", async () => {
  const { engine, cache, fed, during } = start("yes");
  const abort = new AbortController();
  const prompt = "x".repeat(1500);
  during(() => fed.length === 3 && abort.abort());
  const aborted = await collect(engine.generate(request(prompt), abort.signal));
  expect(fed).toEqual([256, 256, 256]);
  expect(aborted).toMatchObject({ reason: "abort", text: "" });
  expect(aborted.usage).toMatchObject({ promptTokens: 1501, cachedTokens: 0, completionTokens: 0 });
  expect(cache.tokens).toEqual({ active: 0, retained: 768 });
  const again = await collect(engine.generate(request(prompt), NEVER));
  expect(again.usage).toMatchObject({ promptTokens: 1501, cachedTokens: 768 });
  expect(again.text).toBe("yes");
});

test("a reply that is aborted in its last step is aborted: it does not end as whole without its last text", async () => {
  for (const more of [{}, { maxTokens: 3 }, { stopTokens: [115] }]) {
    const { engine, fed, during } = start("yes");
    const abort = new AbortController();
    // The prompt with "y", "e", "s" and the end.
    const last = "maxTokens" in more || "stopTokens" in more ? 3 : 4;
    during(() => fed.length === last && abort.abort());
    const aborted = await collect(engine.generate(request("hi", more), abort.signal));
    expect(aborted).toMatchObject({ reason: "abort", usage: { completionTokens: last } });
    expect(aborted.raw).toBeUndefined();
  }
});

test("a reply that is aborted within a character has used its tokens, too", async () => {
  const { engine, fed, during } = start("a€");
  const abort = new AbortController();
  // The prompt with "a", and two of the three bytes.
  during(() => fed.length === 3 && abort.abort());
  const aborted = await collect(engine.generate(request("hi"), abort.signal));
  expect(aborted).toMatchObject({ reason: "abort", usage: { completionTokens: 3 } });
});

test("a stop text of the model is omitted although its tokens come one by one; a stop token leaves what is before it", async () => {
  const { engine } = start("good [INST]", { stopStr: ["[INST]"] });
  expect(await collect(engine.generate(request("x"), NEVER))).toMatchObject({ text: "good ", raw: "good " });
  for (const [includeStop, text] of [
    [false, "good [I"],
    [true, "good [IN"],
  ] as const) {
    const asked = request("x", { stopTokens: [78] });
    const cut = await collect(engine.generate({ ...asked, reader: { ...asked.reader, includeStop } }, NEVER));
    expect(cut).toMatchObject({ text, reason: "stop", usage: { completionTokens: 8 } });
  }
});

test("a prompt that fills the context is refused, and one token less gives one token", async () => {
  const { engine, cache } = start("yes");
  const prompt = (length: number) => request("x".repeat(length - 1));
  await expect(collect(engine.generate(prompt(CONTEXT), NEVER))).rejects.toMatchObject({
    code: "context_length_exceeded",
  });
  const last = await collect(engine.generate(prompt(CONTEXT - 1), NEVER));
  expect(last).toMatchObject({ reason: "length" });
  expect(last.usage.completionTokens).toBe(2);
  expect(cache.tokens.active).toBe(0);
});

test("scopes share nothing", async () => {
  const { engine } = start("good day");
  const ask = (cacheScope: string) =>
    collect(engine.generate({ ...request("a common beginning ".repeat(4)), cacheScope }, NEVER));
  await ask("one");
  expect((await ask("two")).usage.cachedTokens).toBe(0);
  expect((await ask("one")).usage.cachedTokens).toBe(64);
});

test("a reader that leaves early leaves no running sequence", async () => {
  const { engine, cache } = start("good day");
  for await (const _ of engine.generate(request("hi"), NEVER)) break;
  expect(cache.tokens.active).toBe(0);
  expect(cache.tokens.retained).toBeGreaterThan(0);
});

const constraint = { type: "grammar", ebnf: "root ::= ((" } as const;

test("a grammar that is refused, or fails in a step, ends its own reply, and the other one goes on", async () => {
  for (const [code, prepare] of [
    ["invalid_request", () => Promise.reject(new Error("EBNF parser error"))],
    [
      "reply_failed",
      async function (this: Pipeline) {
        const fails = async () => Promise.reject(new Error("no mask"));
        this.grammarMatcher = { getNextTokenBitmask: fails, acceptToken: () => true, dispose() {} };
      },
    ],
  ] as const) {
    const { engine, cache } = start("good day", { prepareGrammarMatcherForSampling: prepare as never }, 4);
    const other = collect(engine.generate(request("hi there"), NEVER));
    const refused = engine.generate({ ...request("hello"), constraint }, NEVER);
    await expect(collect(refused)).rejects.toMatchObject({ code });
    expect(await other).toMatchObject({ reason: "stop" });
    expect(await collect(engine.generate(request("again"), NEVER))).toMatchObject({ text: "good day" });
    expect(cache.tokens.active).toBe(0);
  }
});

test("what a request's own handling throws before it runs does not end the engine", async () => {
  const { engine } = start("yes");
  const broken = { ...request("hi"), reader: undefined } as unknown as GenerateRequest;
  await expect(collect(engine.generate(broken, NEVER))).rejects.toMatchObject({ code: "reply_failed" });
  expect(await collect(engine.generate(request("hi"), NEVER))).toMatchObject({ text: "yes" });
});

test("tokens that begin with the model's own beginning do not get it twice", async () => {
  const { engine } = start("ok");
  const tokens = [1, ...encoder.encode("hello")];
  for (const prompt of [tokens, tokens.slice(1)]) {
    expect(engine.countTokens(prompt)).toBe(6);
    const asked = { ...request(""), prompt } as GenerateRequest;
    expect((await collect(engine.generate(asked, NEVER))).usage.promptTokens).toBe(6);
  }
});

test("a prompt that was counted for its account is not encoded again when it runs", async () => {
  const { engine, encoded } = start("ok");
  expect(engine.countTokens("hi there", "one")).toBe(9);
  await collect(engine.generate({ ...request("hi there"), cacheScope: "one" }, NEVER));
  expect(encoded).toEqual(["hi there"]);
  await collect(engine.generate({ ...request("hi there"), cacheScope: "two" }, NEVER));
  expect(encoded).toHaveLength(2);
});

test("a reply that ends with a replacement character has it", async () => {
  const { engine } = start("like \ufffd");
  expect(await collect(engine.generate(request("x"), NEVER))).toMatchObject({
    text: "like \ufffd",
    raw: "like \ufffd",
  });
});
