/** A service worker that finds a new server before the page does whose own key its request has. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection } from "../../../src/port/connection.ts";
import { mintKey } from "../../../src/port/page-key.ts";
import { buildRequest } from "../../../src/protocol/transfer/request-body.ts";
import { createApp } from "../../../worker/server/app.ts";
import { Connections } from "../../../worker/server/connections.ts";
import { Pages } from "../../../worker/server/pages.ts";
import { KeyRing } from "../../../worker/usage/keys/key-ring.ts";
import { FakeClock } from "../../fakes/fake-clock.ts";
import { FakeWebLocks } from "../../fakes/fake-web-locks.ts";
import { testApp } from "../../support/test-app.ts";

let locks: FakeWebLocks;
const open: Connection[] = [];

beforeEach(() => {
  locks = new FakeWebLocks();
  vi.stubGlobal("navigator", { locks });
});
afterEach(() => {
  for (const connection of open.splice(0)) connection.fail(new Error("over"));
  vi.unstubAllGlobals();
});

async function newServer() {
  const { services } = await testApp();
  const keys = new KeyRing();
  const clock = new FakeClock("2026-03-10T12:00:00Z");
  const serverLock = "server";
  void locks.request(serverLock, () => new Promise(() => {}));
  const connections = new Connections({
    app: createApp(services, keys),
    pages: new Pages(),
    keys,
    clock,
    serverLock,
    options: {} as never,
    rpc: {} as never,
    reverseUsage: async () => {},
    costUsd: async () => 0,
  });
  const join = async (page: Pick<Parameters<typeof Connection.open>[1], "key">): Promise<Connection> => {
    const { port1, port2 } = new MessageChannel();
    connections.accept(port2);
    const connection = await Connection.open(port1, { pageId: "page", basePath: "/v1", ...page }, () => {});
    open.push(connection);
    return connection;
  };
  return { join, clock };
}

/** Sends a chat with the key. */
async function send(connection: Connection, apiKey: string): Promise<number> {
  const body = JSON.stringify({ model: "infetch-tiny", messages: [{ role: "user", content: "Hi" }] });
  const init = { method: "POST", headers: { authorization: `Bearer ${apiKey}` }, body };
  const response = await connection.fetch(buildRequest("https://app.test/v1/chat/completions", init));
  await response.text();
  return response.status;
}

test("its request waits for the page, with its body", async () => {
  const { join } = await newServer();
  const { apiKey, registration } = await mintKey();
  const worker = await join({});
  const waiting = send(worker, apiKey);
  // The first request after it is answered: that one has been refused at least once.
  expect(await send(await join({ key: (await mintKey()).registration }), apiKey)).toBe(401);
  await join({ key: registration });
  expect(await waiting).toBe(200);
});

test("a key that no page brings is refused, later at once", async () => {
  const { join, clock } = await newServer();
  const worker = await join({});
  const { apiKey } = await mintKey();
  expect(await send(worker, apiKey)).toBe(401);
  clock.advance(10_000);
  const waits = vi.spyOn(KeyRing.prototype, "joins");
  expect(await send(worker, apiKey)).toBe(401);
  expect(waits).not.toHaveBeenCalled();
  waits.mockRestore();
});
