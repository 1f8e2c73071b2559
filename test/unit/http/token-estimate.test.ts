/** Token reservations use only the fields that the endpoint supports. */

import { expect, test } from "vitest";
import { parseChatParams } from "../../../worker/endpoints/chat/params.ts";
import { parseCompletionParams } from "../../../worker/endpoints/completions/params.ts";
import { parseResponseParams } from "../../../worker/endpoints/responses/params.ts";
import { estimateTokens, isMetered } from "../../../worker/http/limits/token-estimate.ts";
import { fc } from "../../support/random.ts";

const CHAT = "/v1/chat/completions";
const TEXT = "/v1/completions";
const RESPONSES = "/v1/responses";
const EMBEDDINGS = "/v1/embeddings";

test.each<[path: string, body: unknown, prompt: number, output: number]>([
  [TEXT, { prompt: "123456", max_tokens: 0 }, 2, 0],
  [TEXT, { prompt: "123456" }, 2, 16],
  [TEXT, { prompt: "123456", max_tokens: null }, 2, 16],
  [TEXT, { prompt: "123456", max_tokens: 10 }, 2, 10],
  [TEXT, { prompt: "123456", max_tokens: 10, n: 3 }, 2, 30],
  [TEXT, { prompt: "123456", max_tokens: 10, n: 2, best_of: 4 }, 2, 40],
  [TEXT, { prompt: ["a", "b", "c"], max_tokens: 10, n: 2 }, 4, 60],
  [TEXT, { prompt: [7, 8, 9], max_tokens: 10 }, 3, 10],
  [TEXT, { prompt: [[7, 8, 9], [1]], max_tokens: 10 }, 4, 20],
  [TEXT, { prompt: "123456", max_tokens: 500, max_completion_tokens: 1, max_output_tokens: 1 }, 2, 500],
  [TEXT, { prompt: "123456", max_tokens: -1, n: "x" }, 2, 0],
  [TEXT, { prompt: null }, 1, 16],
  [TEXT, { prompt: "", max_tokens: 1e300 }, 1, 1e12],
  [CHAT, { messages: [], max_completion_tokens: 5, max_tokens: 9 }, 1, 5],
  [CHAT, { messages: [], max_completion_tokens: null, max_tokens: 9, n: 2 }, 1, 18],
  [CHAT, { messages: [], max_tokens: 9, max_output_tokens: 1, best_of: 9 }, 1, 9],
  [CHAT, { messages: [] }, 1, 0],
  [RESPONSES, { input: "123456", max_output_tokens: 7, max_tokens: 1, n: 5 }, 2, 7],
  [EMBEDDINGS, { input: "123456", max_tokens: 100 }, 2, 0],
  [EMBEDDINGS, { input: [1, 2, 3] }, 3, 0],
  [CHAT, [], 0, 0],
  [CHAT, null, 0, 0],
  [CHAT, "text", 0, 0],
])("%s %j reserves %d and %d tokens", (path, body, promptTokens, outputTokens) => {
  expect(estimateTokens(path, JSON.stringify(body))).toEqual({ promptTokens, outputTokens });
});

test("a body that is no JSON reserves no more than the endpoint's default, and other paths use no tokens", () => {
  expect(estimateTokens(CHAT, "{")).toEqual({ promptTokens: 0, outputTokens: 0 });
  expect(["/v1/models", "/v1/files", "constructor"].map(isMetered)).toEqual([false, false, false]);
  expect([CHAT, TEXT, RESPONSES, EMBEDDINGS].map(isMetered)).toEqual([true, true, true, true]);
});

const IMAGE = `data:image/png;base64,${"A".repeat(400_000)}`;
const chatImage = (url: string) => ({ type: "image_url", image_url: { url, detail: "low" } });
const responseImage = (url: string) => ({ type: "input_image", image_url: url });
const asMessage = (...content: unknown[]) => [{ role: "user", content }];
const promptOf = (path: string, body: unknown) => estimateTokens(path, JSON.stringify(body)).promptTokens;

test.each([
  [CHAT, "messages", chatImage],
  [RESPONSES, "input", responseImage],
] as const)("%s: each image is one token, whatever the size of its file", (path, field, image) => {
  const text = { type: "text", text: "hi" };
  const withoutURLs = JSON.stringify(asMessage(text, image(""), image("")));
  const prompt = asMessage(text, image(IMAGE), image("blob:https://page/1"));
  expect(promptOf(path, { [field]: prompt })).toBe(Math.ceil(withoutURLs.length / 4) + 2);
  expect(promptOf(path, {})).toBe(0);
});

test("only the URL of an image in the messages is no text", () => {
  const long = "A".repeat(4_000);
  for (const part of [
    { type: "text", text: IMAGE },
    { type: "image_url", image_url: { url: "", detail: long } },
    { type: "image_url", image_url: { url: "" }, text: long },
    { type: "image_url", image_url: [long] },
    { type: "image_url", image_url: null, url: long },
  ]) {
    expect(promptOf(CHAT, { messages: asMessage(part) })).toBeGreaterThan(1_000);
  }
  expect(promptOf(CHAT, { messages: [], tools: [chatImage(long)] })).toBeGreaterThan(1_000);
  expect(promptOf(EMBEDDINGS, { input: [responseImage(long)] })).toBeGreaterThan(1_000);
});

const count = fc.option(fc.integer({ min: 1, max: 4000 }), { freq: 2 });
const few = fc.option(fc.integer({ min: 1, max: 8 }), { freq: 2 });
const tokenList = fc.array(fc.nat(999), { minLength: 1, maxLength: 20 });
const bodies = fc.record(
  {
    max_tokens: count,
    max_completion_tokens: count,
    max_output_tokens: count,
    n: few,
    best_of: few,
    prompt: fc.oneof(
      fc.string(),
      fc.array(fc.string(), { minLength: 1, maxLength: 12 }),
      tokenList,
      fc.array(tokenList, { minLength: 1, maxLength: 12 }),
    ),
    messages: fc.constant([{ role: "user", content: "Hi" }]),
    input: fc.constant("Hi"),
  },
  { requiredKeys: ["prompt", "messages", "input"] },
);

test("for any body, what is reserved for replies is what the endpoint lets them have", async () => {
  const { signal } = new AbortController();
  const property = fc.asyncProperty(bodies, async (fields) => {
    const body = { model: "m", store: false, ...fields };
    const reserved = (path: string, of: object = body) =>
      estimateTokens(path, JSON.stringify(of)).outputTokens;
    // A chat refuses both names of its limit together.
    const { max_tokens: _, ...withNewName } = body;
    const ofChat = body.max_completion_tokens == null ? body : withNewName;
    const { chat } = await parseChatParams(ofChat, signal);
    expect(reserved(CHAT, ofChat)).toBe((chat.sampling.maxTokens ?? 0) * chat.choices);
    // A response request refuses those of a chat.
    const { prompt, messages, n, best_of, max_tokens, max_completion_tokens, ...rest } = body;
    const response = (await parseResponseParams(rest, false, signal)).chat;
    expect(reserved(RESPONSES)).toBe((response.sampling.maxTokens ?? 0) * response.choices);
    if ((body.best_of ?? 20) < (body.n ?? 1)) return;
    const { sampling, prompts, bestOf } = await parseCompletionParams(body, signal);
    expect(reserved(TEXT)).toBe(sampling.maxTokens! * prompts.length * bestOf);
  });
  await fc.assert(property, { verbose: 1 });
});
