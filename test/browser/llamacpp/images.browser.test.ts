/** Pictures in requests to a GGUF model with a projector. The model's weights are noise: what it says is no matter. */

import type { Runtime } from "infetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawn } from "../../support/images/drawn.ts";
import { post } from "../support/runtime.ts";
import { deploy, startGgufRuntime } from "./support/gguf-runtime.ts";

/** Of each picture (`test/support/gguf/variants.ts`). */
const IMAGE_TOKENS = 16;

let runtime: Runtime;
let model: string;
let red: string;

beforeAll(async () => {
  runtime = await startGgufRuntime();
  model = await deploy(runtime, "tiny-f32.gguf", "tiny-mmproj-f32.gguf");
  red = await drawn("image/png", "red");
});
afterAll(() => runtime.close());

const image = (url: string) => ({ type: "image_url", image_url: { url } });
const text = (of: string) => ({ type: "text", text: of });

async function ask(messages: object[], more: object = {}) {
  const body = { model, messages, temperature: 0, max_tokens: 8, ...more };
  const response = await post(runtime, "/chat/completions", body);
  return { status: response.status, body: await response.json() };
}

/** Log probability of the whole reply. */
function logprob({ choices }: { choices: { logprobs: { content: { logprob: number }[] } }[] }): number {
  return choices[0]!.logprobs.content.reduce((sum, token) => sum + token.logprob, 0);
}

test("a picture is read, and its tokens are in usage and in the ledger", async () => {
  const question = [text("What is"), text(" this?")];
  const probable = { logprobs: true };
  const plain = await ask([{ role: "user", content: question }], probable);
  const seen = await ask([{ role: "user", content: [question[0], image(red), question[1]] }], probable);
  expect(seen.body).toMatchObject({ choices: [{ message: { role: "assistant" } }] });
  const { usage } = seen.body;
  // Greedy replies may coincide; their log probabilities differ.
  expect(Math.abs(logprob(seen.body) - logprob(plain.body))).toBeGreaterThan(0.01);
  // The tokens of the two pieces of text may differ from those of the whole.
  expect(usage.prompt_tokens - plain.body.usage.prompt_tokens).toBeGreaterThanOrEqual(IMAGE_TOKENS);
  expect(usage.prompt_tokens - plain.body.usage.prompt_tokens).toBeLessThan(IMAGE_TOKENS + 3);
  const events = await runtime.usage.list();
  const event = events.find(({ inputTokens }) => inputTokens === usage.prompt_tokens);
  expect(event).toMatchObject({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens });
});

test("the second question about a picture finds it in the cache; one about another picture does not", async () => {
  const blue = await drawn("image/png", "blue");
  const about = (url: string, question: string) =>
    ask([{ role: "user", content: [image(url), text(question)] }]);
  const cachedOf = ({ body }: Awaited<ReturnType<typeof ask>>): number =>
    body.usage.prompt_tokens_details.cached_tokens;
  await about(red, "How many corners?");
  const second = await about(red, "What colour?");
  expect(cachedOf(second)).toBeGreaterThanOrEqual(IMAGE_TOKENS);
  expect(cachedOf(await about(blue, "What colour?"))).toBeLessThan(IMAGE_TOKENS);
});

test("a conversation goes on: pictures of earlier turns stay where they were", async () => {
  const first = { role: "user", content: [image(red), text("What is this?")] };
  const { body: one } = await ask([first]);
  const reply = one.choices[0].message;
  const { body: two } = await ask([first, reply, { role: "user", content: "And its colour?" }]);
  const { cached_tokens: cached } = two.usage.prompt_tokens_details;
  expect(cached).toBeGreaterThanOrEqual(one.usage.prompt_tokens - 1);
});

test("each picture has its own place and tokens; results of tools have pictures too", async () => {
  const blue = await drawn("image/jpeg", "blue");
  const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
  const { body } = await ask([
    { role: "user", content: [text("a"), image(red), text("b"), image(blue), image(red)] },
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call_1", content: [image(blue)] },
  ]);
  expect(body.usage.prompt_tokens).toBeGreaterThan(4 * IMAGE_TOKENS);
  const rendered = await post(runtime, "/chat/completions/render", {
    model,
    messages: [{ role: "user", content: [text("a"), image(red), text("b")] }],
  });
  expect((await rendered.json()).prompt).toContain("a<image>b");
});

test("the same pixels in another format are the same picture", async () => {
  const webp = await drawn("image/webp", "white", [8, 8]);
  const png = await drawn("image/png", "white", [8, 8]);
  const reply = async (url: string) =>
    (await ask([{ role: "user", content: [image(url), text("x")] }])).body.choices[0].message.content;
  expect(await reply(webp)).toBe(await reply(png));
});

test("blob URLs of the page are read; a revoked one is a 400", async () => {
  const url = URL.createObjectURL(await (await fetch(red)).blob());
  const question = (of: string) => [{ role: "user", content: [image(of), text("What is this?")] }];
  const [fromBlob, fromData] = [await ask(question(url)), await ask(question(red))];
  expect(fromBlob.body.choices).toEqual(fromData.body.choices);
  URL.revokeObjectURL(url);
  expect(await ask(question(url))).toMatchObject({
    status: 400,
    body: { error: { code: "invalid_image_url", param: "messages[0].content[0].image_url.url" } },
  });
});

test("Responses read pictures, and stream what they say", async () => {
  const input = [
    {
      role: "user",
      content: [
        { type: "input_text", text: "What is this?" },
        { type: "input_image", image_url: red, detail: "low" },
      ],
    },
  ];
  const body = { model, input, temperature: 0, max_output_tokens: 16 };
  const whole = await (await post(runtime, "/responses", body)).json();
  expect(whole.usage.input_tokens).toBeGreaterThan(IMAGE_TOKENS);
  const streamed = await (await post(runtime, "/responses", { ...body, stream: true })).text();
  const last = streamed
    .trim()
    .split("\n")
    .findLast((line) => line.startsWith("data: {"))!;
  const { response } = JSON.parse(last.slice(6));
  expect(response.output[0].content).toEqual(whole.output[0].content);
  expect(response.usage.input_tokens).toBe(whole.usage.input_tokens);
});

test("a prompt that its pictures make too long is a 400 with its length, and the model goes on", async () => {
  await runtime.deployments.create({
    name: "narrow-window",
    model: "acme/infetch-tiny-GGUF",
    file: "tiny-f32.gguf",
    projector: "tiny-mmproj-f32.gguf",
    contextWindow: 512,
  });
  const pictures = Array.from({ length: 32 }, () => image(red));
  const refused = await ask([{ role: "user", content: pictures }], { model: "narrow-window" });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { code: "context_length_exceeded", param: "messages" } },
  });
  expect(refused.body.error.message).toMatch(/resulted in 5\d\d tokens/);
  expect((await ask([{ role: "user", content: [image(red)] }], { model: "narrow-window" })).status).toBe(200);
});

test("a reply that is aborted after its first token bills the picture, too", async () => {
  const messages = [{ role: "user", content: [image(red), text("What is this?")] }];
  const { body } = await ask(messages);
  const before = new Set((await runtime.usage.list()).map(({ requestId }) => requestId));
  const abort = new AbortController();
  const response = await runtime.fetch(`${runtime.baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${runtime.apiKey}` },
    body: JSON.stringify({ model, messages, stream: true, max_tokens: 900, ignore_eos: true }),
    signal: abort.signal,
  });
  await response.body!.getReader().read();
  abort.abort();
  const added = async () => (await runtime.usage.list()).find(({ requestId }) => !before.has(requestId));
  await expect.poll(added).toMatchObject({ inputTokens: body.usage.prompt_tokens });
});

test("a file that is no projector, and a projector of another model, are a 503 that says so", async () => {
  for (const [projector, says] of [
    ["tiny-q8_0.gguf", /no projector for images: its architecture is 'llama'/],
    ["narrow-mmproj-f32.gguf", /projector, which must belong to it/],
  ] as const) {
    const name = `with-${projector}`;
    await runtime.deployments.create({ name, model: "acme/x-GGUF", file: "tiny-f32.gguf", projector });
    const { status, body } = await ask([{ role: "user", content: "Hello!" }], { model: name });
    expect([status, body.error?.code]).toEqual([503, "model_load_failed"]);
    expect(body.error.message).toMatch(says);
  }
});

test("a model without a projector names those that take pictures", async () => {
  const messages = [{ role: "user", content: [image(red)] }];
  const { status, body } = await ask(messages, { model: "infetch-tiny" });
  expect([status, body.error.code]).toEqual([400, "unsupported_content"]);
  expect(body.error.message).toContain(`'${model}'`);
});
