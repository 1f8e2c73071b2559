/** Speed of the built-in model, in numbers that a slow or shared machine still reaches; the printed ones are the news. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestEngine } from "./support/engine.ts";

const MODEL = "infetch-tiny";
const MINIMUM_DECODE_TOKENS_PER_SECOND = 25;
const DECODED_TOKENS = 48;

const tested = new TestEngine([MODEL]);

beforeAll(async () => {
  // A logit processor would copy every row of logits to the CPU and back.
  tested.engine.setLogitProcessorRegistry();
  await tested.engine.reload(MODEL);
  await tested.ask("hi", { max_tokens: 4 });
});
afterAll(() => tested.engine.unload());

/** A text of about this many tokens. */
function textOfTokens(tokens: number): string {
  return "one two three four five six seven eight nine ten "
    .repeat(Math.ceil(tokens / 10))
    .slice(0, tokens * 4);
}

test.each([16, 128, 1024, 2048, 3500])("decode after about %i prompt tokens", async (tokens) => {
  let text = textOfTokens(tokens);
  for (let attempt = 0; attempt < 2; attempt++) {
    const { promptTokens } = await tested.ask(text.slice(0, 400), { max_tokens: 1 });
    const perCharacter = promptTokens / Math.min(text.length, 400);
    text = textOfTokens(20000).slice(0, Math.floor(tokens / perCharacter));
  }
  const { completion, promptTokens } = await tested.ask(text, {
    temperature: 0.7,
    seed: 1,
    ignore_eos: true,
    max_tokens: DECODED_TOKENS,
  });
  const { prefill_tokens_per_s: prefill, decode_tokens_per_s: decode } = completion.usage!.extra;
  console.log(
    `${promptTokens} prompt tokens: prefill ${prefill.toFixed(0)} tokens/s, decode ${decode.toFixed(1)} tokens/s`,
  );
  expect(decode).toBeGreaterThan(MINIMUM_DECODE_TOKENS_PER_SECOND);
});
