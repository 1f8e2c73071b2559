/** The app with an upstream: a real HTTP server, whose answers the test writes. */

import OpenAI from "openai";
import type { UpstreamOptions } from "../../src/protocol/options/upstream.ts";
import { Upstream } from "../../worker/endpoints/upstream/upstream.ts";
import { type TestApp, testApp } from "./test-app.ts";
import { startUpstream, UPSTREAM_KEY, type UpstreamServer } from "./upstream-server.ts";

export const messages = [{ role: "user" as const, content: "Hi" }];
/** A model of the upstream. */
export const NAME = "big-model";

interface UpstreamApp extends TestApp {
  server: UpstreamServer;
  openai: OpenAI;
  /** Sends a JSON body. Upstream responses are not checked against the runtime's schemas. */
  send(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

let opened: UpstreamServer | undefined;
/** Call it after each test. */
export async function closeUpstream(): Promise<void> {
  await opened?.close();
}

export async function setUp(
  answer?: Parameters<typeof startUpstream>[0],
  options: Partial<UpstreamOptions> = {},
  canRun = true,
): Promise<UpstreamApp> {
  const server = await startUpstream(answer);
  opened = server;
  const test = await testApp();
  const given = { baseURL: server.baseURL, apiKey: UPSTREAM_KEY, models: [NAME], ...options };
  test.services.upstream = new Upstream(given, { fetch, canRun: async () => canRun, created: 7 });
  const openai = new OpenAI({
    apiKey: test.apiKey,
    baseURL: "https://app.test/v1",
    maxRetries: 0,
    fetch: (url, init) => test.app.fetch(new Request(url, init)),
  });
  const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    test.app.fetch(
      new Request(`https://app.test${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${test.apiKey}`, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
  return { ...test, server, openai, send };
}
