/** JSON that is nested thousands of levels deep: recursion over it would overflow the stack. */

import { expect, test } from "vitest";
import { MAX_JSON_DEPTH } from "../../worker/http/body/json-depth.ts";
import { estimateTokens } from "../../worker/http/limits/token-estimate.ts";
import { testApp } from "../support/test-app.ts";

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const CHAT = '"model":"infetch-tiny","messages":[{"role":"user","content":"Hi"}]';

test.each([
  ["/v1/chat/completions", (deep: string) => `{${CHAT},"chat_template_kwargs":${deep}}`],
  ["/v1/chat/completions", (deep: string) => `{${CHAT},"documents":[${deep}]}`],
  ["/v1/chat/completions", (deep: string) => `{${CHAT},"response_format":{"type":${deep}}}`],
  ["/v1/chat/completions", (deep: string) => `{${CHAT},"unknown":${deep}}`],
  ["/v1/responses", (deep: string) => `{"model":"infetch-tiny","input":${deep}}`],
  ["/v1/completions", (deep: string) => `{"model":"infetch-tiny","prompt":${deep}}`],
  ["/v1/embeddings", (deep: string) => `{"model":"infetch-tiny-embed","input":${deep}}`],
] as const)("%s: a 400 that says so", async (path, bodyOf) => {
  const { post } = await testApp();
  for (const levels of [MAX_JSON_DEPTH + 1, 8_000, 100_000]) {
    const response = await post(path, bodyOf(nested(levels)));
    const { error } = await response.json();
    expect([response.status, error.code, error.param]).toEqual([400, "invalid_json", null]);
    expect(error.message).toContain("512 levels");
  }
});

test("what is nested less is taken, and a limited key's estimate of what is nested more is zero", async () => {
  const { post } = await testApp();
  const body = `{${CHAT},"chat_template_kwargs":${nested(MAX_JSON_DEPTH - 2)}}`;
  expect((await post("/v1/chat/completions", body)).status).toBe(200);
  const deep = `{"model":"m","messages":${nested(100_000)}}`;
  expect(estimateTokens("/v1/chat/completions", deep)).toEqual({ promptTokens: 0, outputTokens: 0 });
});
