/** Loss of an embedding engine during tokenization. */

import { expect, test } from "vitest";
import { EngineError } from "../../../worker/engine-api/engine-error.ts";
import { FakeEmbeddingEngine } from "../../fakes/fake-embedding-engine.ts";
import { embeddingApp, FAKE_MODEL } from "../../support/embedding-app.ts";

/** The first `losses` engines are lost during tokenization, as when another request's run ends the worker. */
function lostWhileTokenizing(losses: number): () => FakeEmbeddingEngine {
  let started = 0;
  return () => {
    const engine = new FakeEmbeddingEngine();
    if (++started > losses) return engine;
    engine.tokenize = async () => {
      engine.dispose("a run of another request ended the worker");
      throw new EngineError("engine_lost", "The worker ended.");
    };
    return engine;
  };
}

test.each([0, 1, 2])(
  "a request that meets %i losses while it is tokenized is answered: one bad request causes up to two",
  async (losses) => {
    const { post, engines, ledger } = await embeddingApp(lostWhileTokenizing(losses));
    const response = await post({ model: FAKE_MODEL, input: "abc" });
    expect(response.status).toBe(200);
    expect(engines).toHaveLength(losses + 1);
    expect(ledger.events()).toMatchObject([{ inputTokens: 5 }]);
  },
);

test("a third loss is a clear 503, and charges nothing", async () => {
  const { post, engines, ledger } = await embeddingApp(lostWhileTokenizing(3));
  const response = await post({ model: FAKE_MODEL, input: "abc" });
  expect(response.status).toBe(503);
  expect((await response.json()).error).toMatchObject({
    code: "engine_unavailable",
    message: "The engine was lost 3 times in a row. The worker ended.",
  });
  expect(engines).toHaveLength(3);
  expect(ledger.events()).toEqual([]);
});

test("a vector that JSON would have nulls for is a 500, and charges nothing", async () => {
  const { post, ledger } = await embeddingApp(() => {
    const engine = new FakeEmbeddingEngine();
    engine.overflowsOn = (tokens) => tokens.length === 5;
    return engine;
  });
  const response = await post({ model: FAKE_MODEL, input: ["a", "abc"] });
  expect(response.status).toBe(500);
  expect((await response.json()).error).toMatchObject({
    code: "engine_failed",
    message: "The model's vector of input 1 contains numbers that are not finite.",
  });
  expect(ledger.events()).toEqual([]);
});
