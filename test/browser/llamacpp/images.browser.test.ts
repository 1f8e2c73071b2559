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

test("a picture is read, and its tokens are in usage and in the ledger", async () => {
  const question = [text("What is"), text(" this?")];
  const plain = await ask([{ role: "user", content: question }]);
  const seen = await ask([{ role: "user", content: [question[0], image(red), question[1]] }]);
  expect(seen.body).toMatchObject({ choices: [{ message: { role: "assistant" } }] });
  const { usage } = seen.body;
  // The tokens of the two pieces of text may differ from those of the whole.
  expect(usage.prompt_tokens - plain.body.usage.prompt_tokens).toBeGreaterThanOrEqual(IMAGE_TOKENS);
  expect(usage.prompt_tokens - plain.body.usage.prompt_tokens).toBeLessThan(IMAGE_TOKENS + 3);
  const events = await runtime.usage.list();
  const event = events.find(({ inputTokens }) => inputTokens === usage.prompt_tokens);
  expect(event).toMatchObject({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens });
});
