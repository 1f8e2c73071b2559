/** The hosted page reaches the origins that its options name: a model's host, a hub, an upstream. */

import { resolve } from "node:path";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bridge, startBridge } from "../../scripts/bridge/bridge.ts";
import { type ModelHost, startModelHost } from "../browser/models/model-host.ts";
import { startUpstream, UPSTREAM_KEY, type UpstreamServer } from "../support/upstream-server.ts";

let host: ModelHost;
let upstream: UpstreamServer;
let bridge: Bridge;
let openai: OpenAI;

beforeAll(async () => {
  host = await startModelHost(resolve(import.meta.dirname, "../../dist/models/infetch-tiny"));
  upstream = await startUpstream();
  const runtimeOptions = {
    models: [{ id: "from-elsewhere", url: host.url }],
    upstream: { baseURL: upstream.baseURL, apiKey: UPSTREAM_KEY, models: ["far"] },
  };
  bridge = await startBridge({ port: 0, runtimeOptions });
  openai = new OpenAI({ apiKey: bridge.apiKey, baseURL: bridge.baseURL, maxRetries: 0 });
});

afterAll(async () => {
  await bridge?.close();
  await upstream?.close();
  host?.close();
});

test.each(["from-elsewhere", "far"])("a reply of %s", async (model) => {
  const messages = [{ role: "user" as const, content: "Hello!" }];
  const reply = await openai.chat.completions.create({ model, messages, max_tokens: 8 });
  expect(reply.choices[0]?.message.content).toBeTruthy();
});
