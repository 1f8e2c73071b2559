/** The hosted page reaches the origins that its options name: a model's host, a hub, an upstream. */

import { resolve } from "node:path";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bridge, startBridge } from "../../scripts/bridge/bridge.ts";
import { closeServer, createStaticServer, listen } from "../../scripts/servers/static-server.ts";
import { startUpstream, UPSTREAM_KEY, type UpstreamServer } from "../support/upstream-server.ts";

const host = createStaticServer({ "/": resolve(import.meta.dirname, "../../dist/models") });
let upstream: UpstreamServer;
let bridge: Bridge;
let openai: OpenAI;

beforeAll(async () => {
  host.prependListener("request", (_, response) => response.setHeader("access-control-allow-origin", "*"));
  upstream = await startUpstream();
  const runtimeOptions = {
    models: [{ id: "from-elsewhere", url: `${await listen(host, 0)}/infetch-tiny/` }],
    upstream: { baseURL: upstream.baseURL, apiKey: UPSTREAM_KEY, models: ["far"] },
  };
  bridge = await startBridge({ port: 0, runtimeOptions });
  openai = new OpenAI({ apiKey: bridge.apiKey, baseURL: bridge.baseURL, maxRetries: 0 });
});

afterAll(async () => {
  await bridge?.close();
  await upstream?.close();
  await closeServer(host);
});

test.each(["from-elsewhere", "far"])("a reply of %s", async (model) => {
  const messages = [{ role: "user" as const, content: "Hello!" }];
  const reply = await openai.chat.completions.create({ model, messages, max_tokens: 8 });
  expect(reply.choices[0]?.message.content).toBeTruthy();
});
