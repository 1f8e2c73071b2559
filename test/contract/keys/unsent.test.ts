/** A response that its server cannot send. */

import { expect, test, vi } from "vitest";
import { buildRequest } from "../../../src/protocol/transfer/request-body.ts";
import { unwrap } from "../../ledger/support/world.ts";
import { connectedTabs } from "../../support/connected-tabs.ts";
import { CHAT, hello, Origin } from "../../support/keyed-app.ts";
import { embedder } from "../../support/test-app.ts";

const connect = connectedTabs();

const noMemory = (): never => {
  throw new RangeError("Array buffer allocation failed");
};

test.each([
  ["whose text is too long", CHAT, hello, () => vi.spyOn(Response, "json").mockImplementationOnce(noMemory)],
  [
    "of vectors whose text is too long",
    "/v1/embeddings",
    { model: embedder.id, input: "Hi" },
    () => vi.spyOn(Response, "json").mockImplementationOnce(noMemory),
  ],
  [
    "whose body finds no memory",
    CHAT,
    hello,
    () => vi.spyOn(Response.prototype, "arrayBuffer").mockImplementationOnce(noMemory),
  ],
])("%s is an error with a code, and free", async (_, path, body, failOnce) => {
  const origin = new Origin();
  const tab = await origin.openTab({}, { models: [embedder] });
  const { apiKey, key } = await tab.create({ account: "team", limits: { tokensPerDay: 10_000 } });
  const onEvent = vi.fn();
  const connection = await connect(tab, origin, onEvent);
  const send = () =>
    connection.fetch(
      buildRequest(`https://app.test${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}` },
        body: JSON.stringify(body),
      }),
    );
  const made = failOnce();
  const failed = await send();
  expect(made).toHaveBeenCalled();
  expect(failed.status).toBe(500);
  expect(failed.headers.get("x-request-id")).not.toBe(null);
  expect(await failed.json()).toMatchObject({ error: { type: "server_error", code: "internal_error" } });
  expect(unwrap(await tab.ledger.rpc.usage({ account: "team" }))).toEqual([]);
  const { usage } = unwrap(await tab.keys.list()).find(({ id }) => id === key.id)!;
  expect(usage).toMatchObject({ today: { tokens: 0 }, activeRequests: 0 });
  const failure = { type: "request", status: 500, outcome: "failed", outputTokens: 0, costUsd: 0 };
  await expect.poll(() => onEvent.mock.calls).toContainEqual([expect.objectContaining(failure)]);
  expect((await send()).status).toBe(200);
  expect(unwrap(await tab.ledger.rpc.usage({ account: "team" }))).toHaveLength(1);
  connection.fail(new Error("over"));
});
