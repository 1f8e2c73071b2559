/** Engine loss: retries, errors and billing. */

import { expect, test } from "vitest";
import { EngineError } from "../../../worker/engine-api/engine-error.ts";
import { readEvents, testApp } from "../../support/test-app.ts";

const hello = { model: "infetch-tiny", messages: [{ role: "user", content: "Hi" }] };
const PIECES = ["Hello", " ", "there", "!"];

/** Loses the engine before the pieces with these numbers, counted from 1 over all replies. */
function lostAt(...numbers: number[]) {
  let piece = 0;
  return {
    reply: () => PIECES,
    gate: async () => {
      if (numbers.includes(++piece)) throw new EngineError("engine_lost", "It broke.");
    },
  };
}

test.each([true, false])(
  "a loss before the first token is unnoticed and costs nothing (stream: %s)",
  async (stream) => {
    const { post, ledger, engine } = await testApp(lostAt(1));
    const response = await post("/v1/chat/completions", { ...hello, stream });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("there");
    expect(engine.requests).toHaveLength(2);
    expect(ledger.events()).toMatchObject([{ outcome: "completed", outputTokens: PIECES.length }]);
  },
);

test("a loss in the middle of a whole reply is unnoticed too, and each token is charged once", async () => {
  const { post, ledger } = await testApp(lostAt(3));
  const body = await (await post("/v1/chat/completions", hello)).json();
  expect(body.choices[0].message.content).toBe("Hello there!");
  expect(body.usage.completion_tokens).toBe(PIECES.length);
  expect(ledger.events()).toMatchObject([{ outcome: "completed", outputTokens: PIECES.length }]);
});

test("of several choices only the one that broke off is made again", async () => {
  const { post, ledger, engine } = await testApp(lostAt(6));
  const body = await (await post("/v1/chat/completions", { ...hello, n: 2 })).json();
  expect(body.choices.map((one: { message: { content: string } }) => one.message.content)).toEqual([
    "Hello there!",
    "Hello there!",
  ]);
  expect(engine.requests).toHaveLength(3);
  expect(ledger.events()).toMatchObject([{ outputTokens: 2 * PIECES.length }]);
});

test("a loss in the middle of a stream is an error event, what was sent is charged, and the next one works", async () => {
  const { post, ledger } = await testApp(lostAt(3));
  const { events, done } = await readEvents<{ error?: { code: string } }>(
    await post("/v1/chat/completions", { ...hello, stream: true }),
  );
  expect(done).toBe(false);
  expect(events.at(-1)?.error?.code).toBe("engine_lost");
  expect((await post("/v1/chat/completions", hello)).status).toBe(200);
  expect(ledger.events()).toMatchObject([
    { outcome: "failed", outputTokens: 2 },
    { outcome: "completed", outputTokens: PIECES.length },
  ]);
});

test.each(["/v1/chat/completions", "/v1/completions", "/v1/responses"])(
  "%s: a second loss in a row is a clear 503, and charges nothing",
  async (path) => {
    const { post, ledger, engine } = await testApp(lostAt(1, 2));
    const body = {
      "/v1/chat/completions": hello,
      "/v1/completions": { model: "infetch-tiny", prompt: "Hi" },
      "/v1/responses": { model: "infetch-tiny", input: "Hi" },
    }[path];
    const response = await post(path, body);
    expect(response.status).toBe(503);
    expect((await response.json()).error).toMatchObject({
      code: "engine_unavailable",
      message: "The engine was lost twice in a row. It broke.",
    });
    expect(engine.requests).toHaveLength(2);
    expect(ledger.events()).toEqual([]);
  },
);
