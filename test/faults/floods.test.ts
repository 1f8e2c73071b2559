/** Overload: prompts beyond every context window, and more requests than the queue holds. */

import { expect, test } from "vitest";
import { testApp } from "../support/test-app.ts";
import { ends } from "./support/watchdog.ts";

const TEN_MEGABYTES = 10 * 2 ** 20;
const chat = (content: string, more = {}) => ({
  model: "infetch-tiny",
  messages: [{ role: "user", content }],
  ...more,
});

test("a prompt of 10 MB is a 400 that says how long it is, and costs nothing", async () => {
  const { post, ledger } = await testApp();
  const huge = "a".repeat(TEN_MEGABYTES);
  for (const [path, body] of [
    ["/v1/chat/completions", chat(huge)],
    ["/v1/chat/completions", chat(huge, { stream: true })],
    ["/v1/completions", { model: "infetch-tiny", prompt: huge }],
    ["/v1/responses", { model: "infetch-tiny", input: huge, store: false }],
    ["/v1/embeddings", { model: "infetch-tiny-embed", input: huge }],
  ] as const) {
    const response = await ends(path, post(path, body));
    expect(response.status, path).toBe(400);
    const { error } = await response.json();
    expect(error.message, path).toMatch(/\d{3,}/);
    expect(error.param, path).toMatch(/messages|prompt|input/);
  }
  expect(ledger.events()).toEqual([]);
  expect((await post("/v1/chat/completions", chat("Hello!"))).status).toBe(200);
});

test("what can never fit is refused by its bytes: no engine counts it", async () => {
  const counted: number[] = [];
  const { post, services, engine } = await testApp();
  Object.assign(engine.info, { longestTokenBytes: 8 });
  const count = engine.countTokens.bind(engine);
  engine.countTokens = (prompt) => {
    counted.push(prompt.length);
    return count(prompt);
  };
  const use = services.embeddings.use.bind(services.embeddings);
  services.embeddings.use = (model, signal, work) =>
    use(model, signal, (loaded) => work({ ...loaded, info: { ...loaded.info, longestTokenBytes: 8 } }));
  const most = engine.info.contextWindow * 8;
  const word = "é".repeat(most / 2 + 1);
  const marks = `\uFDD1${"0".repeat(64)}\uFDD1`.repeat(most / 64 + 1);
  const tokens = Array.from({ length: engine.info.contextWindow + 1 }, () => 1);
  for (const [path, body, param] of [
    ["/v1/chat/completions", chat(word), "messages"],
    ["/v1/completions", { model: "infetch-tiny", prompt: word }, "prompt"],
    ["/v1/completions", { model: "infetch-tiny", prompt: tokens }, "prompt"],
    // Marks of images count like other text where there are none.
    ["/v1/chat/completions", { ...chat(""), messages: [{ role: "system", content: marks }] }, "messages"],
    ["/v1/completions", { model: "infetch-tiny", prompt: marks }, "prompt"],
    ["/v1/responses", { model: "infetch-tiny", input: marks, store: false }, "input"],
    ["/v1/responses", { model: "infetch-tiny", input: word, store: false }, "input"],
    ["/v1/embeddings", { model: "infetch-tiny-embed", input: "a".repeat(TEN_MEGABYTES) }, "input"],
    ["/v1/embeddings", { model: "infetch-tiny-embed", input: ["a", "b".repeat(TEN_MEGABYTES)] }, "input[1]"],
  ] as const) {
    const response = await ends(path, post(path, body));
    expect(response.status, path).toBe(400);
    expect((await response.json()).error).toMatchObject({ code: "context_length_exceeded", param });
  }
  expect(counted).toEqual([]);
  expect((await post("/v1/completions", { model: "infetch-tiny", prompt: "Hi" })).status).toBe(200);
  expect(counted).toHaveLength(1);
});

test("of 10,000 requests at once as many are served as may wait, the others are told when to come back", async () => {
  const requests = 10_000;
  const mayWait = 256;
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { post, ledger, engine } = await testApp(
    { gate: () => gate, reply: () => ["a", "b", "c"] },
    { maxQueued: mayWait },
  );
  const answers = Array.from({ length: requests }, (_, at) =>
    post("/v1/chat/completions", chat(`${at}`, { stream: at % 2 === 0 })),
  );
  // When the last request is refused, all others have reached the queue.
  await ends("the last one's answer", answers.at(-1)!);
  open();
  const tally = new Map<number, number>();
  for (const [at, answer] of answers.entries()) {
    const response = await ends(`answer ${at}`, answer);
    tally.set(response.status, (tally.get(response.status) ?? 0) + 1);
    const text = await ends(`body ${at}`, response.text());
    if (response.status === 200) continue;
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(JSON.parse(text).error).toMatchObject({ code: "queue_full", type: expect.any(String) });
  }
  expect([...tally.keys()].sort()).toEqual([200, 429]);
  // One runs and `mayWait` wait.
  expect(tally.get(200)).toBe(mayWait + 1);
  expect(tally.get(429)).toBe(requests - mayWait - 1);
  expect(engine.running).toBe(0);
  expect(ledger.events()).toHaveLength(mayWait + 1);
});
