/** What reaches an engine, and what its errors about the prompt name. */

import { expect, test } from "vitest";
import { EngineError } from "../../../worker/engine-api/engine-error.ts";
import { testApp } from "../../support/test-app.ts";

const PATH = "/v1/chat/completions";
const chat = { model: "infetch-tiny", messages: [{ role: "user", content: "Hi" }] };

test("without max_tokens a reply ends at the context window, not behind it", async () => {
  const { post, engine } = await testApp({ reply: () => ["x"] });
  const reply = await (await post(PATH, chat)).json();
  const { contextWindow } = engine.info;
  expect(engine.requests[0]!.sampling.maxTokens).toBe(contextWindow - reply.usage.prompt_tokens);
});

test("two spellings of a token in logit_bias are one token: the last counts", async () => {
  const { post, engine } = await testApp({ reply: () => ["x"] });
  expect((await post(PATH, { ...chat, logit_bias: { "1": 100, "01": -5, "7": 2 } })).status).toBe(200);
  expect(engine.requests[0]!.sampling.logitBias).toEqual({ 1: -5, 7: 2 });
});

test.each([
  [PATH, chat, "messages"],
  ["/v1/responses", { model: "infetch-tiny", input: "Hi" }, "input"],
])("%s: an engine's error about its prompt names the parameter", async (path, body, param) => {
  const { post } = await testApp({
    reply: () => {
      throw new EngineError("invalid_request", "The model's projector cannot read an image.", {
        param: "prompt",
      });
    },
  });
  const response = await post(path, body);
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ code: "invalid_request", param });
});
