import { expect, test } from "vitest";
import { tokenFormOf } from "../../../../worker/engines/webllm/text/token-form.ts";

test.each([
  [{}, "raw"],
  [{ tokenizer_info: { token_postproc_method: "byte_fallback" } }, "byte_fallback"],
  [{ token_table_postproc_method: "byte_level" }, "byte_level"],
  // As web-llm: the newer field alone counts where there is one.
  [{ tokenizer_info: {}, token_table_postproc_method: "byte_level" }, "raw"],
  [{ token_table_postproc_method: 5 }, "raw"],
])("%j: %s", (config, form) => {
  expect(tokenFormOf(config)).toBe(form);
});
