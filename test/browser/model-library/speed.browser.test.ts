/**
 * Speed of the built-in model. The printed numbers are the news; what is demanded is what it must reach, as the best of
 * up to three tries, because this machine may be busy with other things.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestEngine } from "./support/engine.ts";

const MODEL = "infetch-tiny";
const DECODED_TOKENS = 48;
const TEXT = "one two three four five six seven eight nine ten ".repeat(400);
const SAMPLE_LENGTH = 400;

const tested = new TestEngine([MODEL]);
let tokensPerCharacter = 0;

beforeAll(async () => {
  // A logit processor would copy every row of logits to the CPU and back.
  tested.engine.setLogitProcessorRegistry();
  await tested.engine.reload(MODEL);
  const { promptTokens } = await tested.ask(TEXT.slice(0, SAMPLE_LENGTH), { max_tokens: 4 });
  tokensPerCharacter = promptTokens / SAMPLE_LENGTH;
});
afterAll(() => tested.engine.unload());

test.each([16, 128, 1024, 2048, 3500])(
  "decodes at least 25 tokens/s after %i prompt tokens",
  async (tokens) => {
    const text = TEXT.slice(0, Math.floor(tokens / tokensPerCharacter));
    let best = 0;
    for (let attempt = 0; attempt < 3 && best < 25; attempt++) {
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
      best = Math.max(best, decode);
    }
    expect(best).toBeGreaterThan(25);
  },
);
