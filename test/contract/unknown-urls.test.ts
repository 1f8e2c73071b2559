/** Paths that this runtime does not serve: a 404 with advice, as the SDK of OpenAI receives it. */

import OpenAI from "openai";
import { expect, test } from "vitest";
import { testApp } from "../support/test-app.ts";

const STORES_NOTHING = /stores no responses, completions or conversations: send the full history/;
const LISTS = /This runtime serves \/v1\/chat\/completions, .*\/v1\/embeddings, .*\/v1\/models\.$/;

async function sdk(): Promise<OpenAI> {
  const { app, apiKey } = await testApp();
  const fetch = (input: string | URL | Request, init?: RequestInit) => app.fetch(new Request(input, init));
  return new OpenAI({ apiKey, baseURL: "https://app.test/v1", fetch, maxRetries: 0 });
}

test.each<[call: string, call: (openai: OpenAI) => Promise<unknown>, advice: RegExp]>([
  ["responses.retrieve", (o) => o.responses.retrieve("resp_68a1b2c3d4e5f6"), STORES_NOTHING],
  ["responses.retrieve (a short id)", (o) => o.responses.retrieve("resp_1"), STORES_NOTHING],
  ["responses.delete", (o) => o.responses.delete("resp_68a1b2c3d4e5f6"), STORES_NOTHING],
  ["responses.cancel", (o) => o.responses.cancel("resp_68a1b2c3d4e5f6"), STORES_NOTHING],
  ["responses.compact", (o) => o.responses.compact({ model: "m", input: "Hi" }), LISTS],
  ["responses.inputItems.list", (o) => o.responses.inputItems.list("resp_68a1b2c3d4"), STORES_NOTHING],
  ["conversations.create", (o) => o.conversations.create(), STORES_NOTHING],
  ["chat.completions.retrieve", (o) => o.chat.completions.retrieve("chatcmpl-1"), STORES_NOTHING],
  ["chat.completions.messages.list", (o) => o.chat.completions.messages.list("chatcmpl-1"), STORES_NOTHING],
  ["vectorStores.list", (o) => o.vectorStores.list(), LISTS],
  ["moderations.create", (o) => o.moderations.create({ input: "Hi" }), LISTS],
  ["images.generate", (o) => o.images.generate({ prompt: "Hi" }), LISTS],
  ["audio.speech.create", (o) => o.audio.speech.create({ model: "m", input: "Hi", voice: "alloy" }), LISTS],
  ["beta.assistants.list", (o) => o.beta.assistants.list(), LISTS],
  ["fineTuning.jobs.list", (o) => o.fineTuning.jobs.list(), LISTS],
  ["evals.list", (o) => o.evals.list(), LISTS],
  ["uploads.create", (o) => o.post("/uploads", { body: {} }), LISTS],
])("%s is a NotFoundError with advice", async (_, call, advice) => {
  const error = await call(await sdk()).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(OpenAI.NotFoundError);
  expect(error).toMatchObject({ code: "unknown_url", type: "invalid_request_error", param: null });
  const { message } = error as Error;
  expect(message).toMatch(advice);
  expect(message).not.toContain("Did you mean");
});

test("a list of stored completions is a 405 that says why there is none", async () => {
  const list = (await sdk()).chat.completions.list();
  await expect(list).rejects.toMatchObject({ status: 405, code: "method_not_allowed" });
  await expect(list).rejects.toThrow(STORES_NOTHING);
});

test.each([
  ["/v1/embedding", "/v1/embeddings"],
  ["/v1/chat/completion", "/v1/chat/completions"],
  ["/v1/chat/completions/", "/v1/chat/completions"],
  ["/v1/v1/chat/completions", "/v1/chat/completions"],
  ["/v1/responses/input_token", "/v1/responses/input_tokens"],
])("%s is a typo of %s", async (path, meant) => {
  const { post } = await testApp();
  const response = await post(path, {});
  const { error } = await response.json();
  expect([response.status, error.code]).toEqual([404, "unknown_url"]);
  expect(error.message).toBe(`Unknown request URL: POST ${path}. Did you mean ${meant}?`);
});
