/**
 * Requests of all kinds from two tabs and two accounts at once, with aborts, unloads and changes of the model between
 * them. Each reply must be the one that its request has alone.
 */

import type { Runtime, StatsEvent } from "infetch";
import type OpenAI from "openai";
import { APIUserAbortError, BadRequestError, InternalServerError } from "openai";
import type { ChatCompletionStreamParams } from "openai/lib/ChatCompletionStream";
import { expect } from "vitest";
import { fc, seed } from "../../../support/random.ts";
import { freshLedgerName, runtimeInFrame } from "../../billing/support/frames.ts";
import { hasWebGPU, openaiFor } from "../../support/runtime.ts";
import { type Body, contentOf, mixedRequests } from "./mixed-requests.ts";

/** The second has the same weights in an engine of its own; both do not fit into memory. */
const MODELS = ["one", "other"] as const;
const CONTEXT = 1_024;

const act = fc.record({
  model: fc.constantFrom("one", "one", "one", "other"),
  account: fc.constantFrom(0, 1),
  tab: fc.constantFrom(0, 1),
  choices: fc.constantFrom(1, 1, 1, 2, 3),
  isStreamed: fc.boolean(),
  /** Chunks after which the reader leaves; 0: it aborts before it has a response. */
  leavesAfter: fc.constantFrom(undefined, undefined, undefined, undefined, 0, 2),
  isTooLong: fc.constantFrom(false, false, false, false, false, false, false, true),
  /** Continues the reply of an earlier request, if there is one. */
  goesOn: fc.constantFrom(false, false, true),
  unloads: fc.constantFrom(false, false, false, false, false, true),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

interface Asked {
  body: Body;
  account: number;
  got: ReturnType<typeof seen>;
}

/** All of a reply that does not depend on chance. */
function seen(reply: OpenAI.ChatCompletion) {
  const choices = reply.choices.map((choice) => contentOf({ ...reply, choices: [choice] }));
  return { choices, total: reply.usage!.total_tokens };
}

/** Runs `rounds` rounds of 2 to 16 requests at once. */
export async function mixedLoad(rounds: number): Promise<void> {
  // One engine takes 13 MB on WebGPU and 100 MB in llama.cpp, with WebAssembly's initial memory.
  const memoryBudgetBytes = ((await hasWebGPU()) ? 20 : 160) * 2 ** 20;
  const options = { storageName: freshLedgerName(), memoryBudgetBytes, shared: true };
  const tabs = [await runtimeInFrame(options), await runtimeInFrame(options)] as const;
  for (const name of MODELS)
    await tabs[0].deployments.create({ name, model: "infetch-tiny", contextWindow: CONTEXT });
  const stats = watch(tabs[0]);
  const keys: string[] = [];
  for (const account of ["a", "b", "alone"])
    keys.push((await tabs[0].keys.create({ name: account, account })).apiKey);
  const clientOf = (tab: number, account: number): OpenAI =>
    openaiFor(tabs[tab]!).withOptions({ apiKey: keys[account]! });
  const sizes = fc.sample(fc.integer({ min: 2, max: 16 }), { seed, numRuns: rounds });
  const acts = fc.sample(act, { seed, numRuns: sizes.reduce((sum, size) => sum + size, 0) });
  const bodies = mixedRequests(acts.length);
  const asked: Asked[] = [];
  for (const size of sizes) {
    const round = acts.splice(0, size).map((one) => ({ one, body: bodyOf(one, bodies.shift()!, asked) }));
    const replies = round.map(async ({ one, body }) => {
      const reply = await untilLoaded(() => ask(clientOf(one.tab, one.account), body, one));
      if (one.unloads) await tabs[one.tab]!.models.unload(one.model);
      return reply && { body, account: one.account, got: seen(reply) };
    });
    for (const reply of await Promise.all(replies)) if (reply) asked.push(reply);
    await expect.poll(() => stats.busy()).toEqual([]);
    expect(stats.leaks()).toEqual([]);
  }
  expect(asked.length).toBeGreaterThan(rounds);
  for (const { body, got } of asked)
    expect(got, JSON.stringify(body)).toEqual(seen(await clientOf(0, 2).chat.completions.create(body)));
  for (const tab of tabs) tab.close();
}

function bodyOf(one: Act, { model: _, ...body }: Body, asked: readonly Asked[]): Body {
  const earlier = asked.findLast(({ account }) => account === one.account);
  const [choice] = earlier?.got.choices ?? [];
  const before =
    one.goesOn && earlier && choice?.content && hasRoom(earlier, body)
      ? [...earlier.body.messages, { role: "assistant" as const, content: choice.content }]
      : [];
  const messages = [...before, ...body.messages];
  if (one.isTooLong) messages.push({ role: "user", content: "and so on ".repeat(CONTEXT) });
  return { ...body, messages, model: one.model, n: one.choices };
}

/** Whether the context has room for a turn after the earlier ones. */
function hasRoom({ got }: Asked, body: Omit<Body, "model">): boolean {
  // Tokens of these messages and tools have two characters or more.
  return got.total + JSON.stringify(body).length / 2 + body.max_tokens! <= CONTEXT;
}

/** An unload cancels a load that requests wait for. */
async function untilLoaded<T>(send: () => Promise<T>): Promise<T> {
  while (true) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof InternalServerError) || error.code !== "load_cancelled") throw error;
    }
  }
}

/** @returns the reply, if the request was to have a whole one */
async function ask(openai: OpenAI, body: Body, one: Act): Promise<OpenAI.ChatCompletion | undefined> {
  if (one.isTooLong) {
    const error = await openai.chat.completions.create(body).catch((error: unknown) => error);
    if (!(error instanceof BadRequestError)) throw error;
    expect(error.code).toBe("context_length_exceeded");
    return undefined;
  }
  if (one.leavesAfter === 0) {
    const abort = new AbortController();
    const request = openai.chat.completions.create(body, { signal: abort.signal });
    abort.abort();
    await expect(request).rejects.toBeInstanceOf(APIUserAbortError);
    return undefined;
  }
  if (one.leavesAfter !== undefined) {
    let chunks = 0;
    for await (const _ of await openai.chat.completions.create({ ...body, stream: true }))
      if (++chunks === one.leavesAfter) break;
    return undefined;
  }
  const reply = one.isStreamed ? await streamed(openai, body) : await openai.chat.completions.create(body);
  const { prompt_tokens_details: details, ...usage } = reply.usage!;
  expect(details!.cached_tokens).toBeLessThan(usage.prompt_tokens);
  expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
  return reply;
}

function streamed(openai: OpenAI, body: Body): Promise<OpenAI.ChatCompletion> {
  const request = { ...body, stream: true, stream_options: { include_usage: true } } as const;
  return openai.chat.completions.stream(request as ChatCompletionStreamParams).finalChatCompletion();
}

/** What the models of a runtime are doing, as its events say. */
function watch(runtime: Runtime) {
  const latest = new Map<string, StatsEvent>();
  runtime.on("stats", (event) => latest.set(event.model, event));
  runtime.on("engine", ({ model, state }) => {
    if (state === "unloaded" || state === "lost") latest.delete(model);
  });
  return {
    busy: () => [...latest.values()].filter(({ running, waiting }) => running + waiting > 0),
    leaks: () =>
      [...latest.values()].filter(({ pages }) => pages && pages.free + pages.retained !== pages.total),
  };
}
