/** Compressed bodies: a 415 that names the encoding, not an error about JSON. */

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { testApp } from "../support/test-app.ts";

const body = JSON.stringify({ model: "infetch-tiny", messages: [{ role: "user", content: "Hi" }] });

async function send(encoding: string, content: BodyInit) {
  const { app, apiKey, engine } = await testApp({ reply: () => ["x"] });
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    "content-encoding": encoding,
  };
  const url = "https://app.test/v1/chat/completions";
  const response = await app.fetch(new Request(url, { method: "POST", headers, body: content }));
  return { response, engine };
}

test.each(["gzip", "br", "deflate", "zstd", "gzip, br"])("%s", async (encoding) => {
  const { response, engine } = await send(encoding, gzipSync(body));
  expect([response.status, response.headers.get("accept-encoding")]).toEqual([415, "identity"]);
  expect((await response.json()).error).toMatchObject({
    type: "invalid_request_error",
    code: "unsupported_content_encoding",
    message: expect.stringContaining(`'${encoding}'`),
  });
  expect(engine.requests).toEqual([]);
});

test.each(["identity", "Identity", ""])("'%s' is no encoding", async (encoding) => {
  expect((await send(encoding, body)).response.status).toBe(200);
});
