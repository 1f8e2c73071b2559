/** Parameters of OpenAI's that the runtime does not support, with values that OpenAI does not take either. */

import { expect, test } from "vitest";
import { testApp } from "../support/test-app.ts";

const CHAT = "/v1/chat/completions";
const RESPONSES = "/v1/responses";
const INPUT_TOKENS = "/v1/responses/input_tokens";
const both = [CHAT, RESPONSES];

const model = "infetch-tiny";
const messages = [{ role: "user", content: "Hi" }];
const BODIES: Record<string, object> = {
  [CHAT]: { model, messages },
  [RESPONSES]: { model, input: "Hi" },
  [INPUT_TOKENS]: { model, input: "Hi" },
  "/v1/completions": { model, prompt: "Hi" },
};

const WRONG: [paths: string[], fields: object, param: string, code: string][] = [
  [both, { service_tier: "bogus" }, "service_tier", "invalid_value"],
  [both, { service_tier: 5 }, "service_tier", "invalid_type"],
  [both, { service_tier: "flex" }, "service_tier", "unsupported_value"],
  [both, { service_tier: "ultrafast" }, "service_tier", "unsupported_value"],
  [both, { prompt_cache_retention: "1h" }, "prompt_cache_retention", "invalid_value"],
  [both, { prompt_cache_options: "implicit" }, "prompt_cache_options", "invalid_type"],
  [both, { moderation: "on" }, "moderation", "invalid_type"],
  [both, { store: "no" }, "store", "invalid_type"],
  [[CHAT], { verbosity: "some" }, "verbosity", "invalid_value"],
  [[CHAT], { verbosity: "low" }, "verbosity", "unsupported_value"],
  [[CHAT], { modalities: "text" }, "modalities", "invalid_type"],
  [[CHAT], { modalities: ["text", "smell"] }, "modalities[1]", "invalid_value"],
  [[CHAT], { modalities: ["text", "audio"] }, "modalities", "unsupported_value"],
  [[CHAT], { audio: true }, "audio", "invalid_type"],
  [[CHAT], { prediction: "Hello" }, "prediction", "invalid_type"],
  [[CHAT], { prediction: { type: "content", content: "Hello" } }, "prediction", "unsupported_parameter"],
  [[CHAT], { web_search_options: [] }, "web_search_options", "invalid_type"],
  [[RESPONSES], { background: "yes" }, "background", "invalid_type"],
  [[RESPONSES, INPUT_TOKENS], { personality: "friendly" }, "personality", "unsupported_parameter"],
  [[RESPONSES], { prompt: "pmpt_1" }, "prompt", "invalid_type"],
  [[RESPONSES], { context_management: {} }, "context_management", "invalid_type"],
  [[RESPONSES], { context_management: ["compaction"] }, "context_management[0]", "invalid_type"],
  [["/v1/completions"], { suffix: 5 }, "suffix", "invalid_type"],
  [["/v1/completions"], { suffix: "." }, "suffix", "unsupported_parameter"],
];

test.each(WRONG)("%j: %j is a 400 that names %s, with the code %s", async (paths, fields, param, code) => {
  const { post } = await testApp();
  for (const path of paths) {
    const response = await post(path, { ...BODIES[path], ...fields });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ param, code, type: "invalid_request_error" });
  }
});

test("a safety identifier has up to 128 characters, and a prompt may be kept for 24 hours", async () => {
  const { post } = await testApp();
  for (const path of both) {
    const fields = { safety_identifier: "x".repeat(128), prompt_cache_retention: "24h" };
    const response = await post(path, { ...BODIES[path], ...fields });
    expect(response.status).toBe(200);
    if (path === RESPONSES) expect(await response.json()).toMatchObject(fields);
    const long = await post(path, { ...BODIES[path], safety_identifier: "x".repeat(129) });
    expect((await long.json()).error).toMatchObject({
      param: "safety_identifier",
      code: "string_above_max_length",
    });
  }
});

test("the values that OpenAI takes are listed as OpenAI lists them", async () => {
  const { post } = await testApp();
  const messageOf = async (fields: object) =>
    (await (await post(CHAT, { ...BODIES[CHAT], ...fields })).json()).error.message;
  expect(await messageOf({ verbosity: "some" })).toBe(
    "Invalid value: 'some'. Supported values are: 'low', 'medium', and 'high'.",
  );
  expect(await messageOf({ modalities: ["smell"] })).toBe(
    "Invalid value: 'smell'. Supported values are: 'text' and 'audio'.",
  );
});

test("a value of OpenAI's that is not supported is answered with those that are", async () => {
  const { post } = await testApp();
  const messageOf = async (path: string, fields: object) =>
    (await (await post(path, { ...BODIES[path], ...fields })).json()).error.message;
  expect(await messageOf(CHAT, { service_tier: "flex" })).toBe(
    "Unsupported value: 'service_tier' does not support 'flex' in this runtime. Supported values are: 'auto' and 'default'.",
  );
  expect(await messageOf(CHAT, { modalities: ["text", "audio"] })).toBe(
    "Unsupported value: 'modalities' does not support 'audio' in this runtime. Supported values are: 'text'.",
  );
  expect(await messageOf(RESPONSES, { store: true })).toBe(
    "Unsupported value: 'store' does not support true in this runtime. Supported values are: false.",
  );
  expect(await messageOf(CHAT, { audio: { voice: "ash" } })).toBe(
    "Unsupported parameter: 'audio' is not supported by this runtime.",
  );
});

test("a chat with both names of its limit is refused, as at OpenAI", async () => {
  const { post } = await testApp();
  const response = await post(CHAT, { ...BODIES[CHAT], max_tokens: 5, max_completion_tokens: 5 });
  expect([response.status, (await response.json()).error]).toEqual([
    400,
    {
      message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      type: "invalid_request_error",
      param: "max_tokens",
      code: "invalid_parameter_combination",
    },
  ]);
  const one = await post(CHAT, { ...BODIES[CHAT], max_tokens: 5, max_completion_tokens: null });
  expect(one.status).toBe(200);
});

test("the audio of an earlier reply is refused, not left out silently", async () => {
  const { post } = await testApp();
  for (const rest of [{}, { content: "Hello." }]) {
    const reply = { role: "assistant", audio: { id: "audio_1" }, ...rest };
    const response = await post(CHAT, { model, messages: [...messages, reply, ...messages] });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({
      param: "messages[1].audio",
      code: "unsupported_content",
    });
  }
  const silent = { role: "assistant", audio: null, content: "Hello." };
  expect((await post(CHAT, { model, messages: [...messages, silent, ...messages] })).status).toBe(200);
});

test.each([`${CHAT}/render`, `${RESPONSES}/render`, `${RESPONSES}/input_tokens`])(
  "%s lists the fields that it ignores",
  async (path) => {
    const { post } = await testApp();
    const response = await post(path, { ...BODIES[path.replace(/\/\w+$/, "")], my_field: 1 });
    expect([response.status, response.headers.get("x-infetch-ignored-parameters")]).toEqual([
      200,
      "my_field",
    ]);
  },
);
