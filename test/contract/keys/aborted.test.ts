/** A request that is aborted at any step, over a port as from a page, leaves no place, no checkpoint and no port. */

import { expect, test } from "vitest";
import type { Connection } from "../../../src/port/connection.ts";
import { buildRequest } from "../../../src/protocol/transfer/request-body.ts";
import { unwrap } from "../../ledger/support/world.ts";
import { connectedTabs } from "../../support/connected-tabs.ts";
import { CHAT, hello, Origin } from "../../support/keyed-app.ts";
import { fc } from "../../support/random.ts";
import { embedder } from "../../support/test-app.ts";

const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

const connect = connectedTabs();

/** Sends a request, reads the response, and aborts after so many turns of the event loop. */
async function play(connection: Connection, input: string, init: RequestInit, turns: number): Promise<void> {
  const abort = new AbortController();
  let isOver = false;
  const run = async (): Promise<void> => {
    const response = await connection.fetch(buildRequest(input, { ...init, signal: abort.signal }));
    await response.arrayBuffer();
    expect(response.status).toBe(200);
  };
  const running = run()
    .catch((error) => expect(error).toBe(abort.signal.reason))
    .finally(() => {
      isOver = true;
    });
  for (let at = 0; at < turns && !isOver; at++) await turn();
  abort.abort("left");
  await running;
}

const openPorts = (): number =>
  process.getActiveResourcesInfo().filter((type) => type === "MessagePort").length;

const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const tools = [{ type: "function", function: { name: "f", parameters } }];
const json_schema = { name: "a", schema: parameters, strict: true };
const completion = { model: "infetch-tiny", prompt: ["a", "b"] };
const response = { model: "infetch-tiny", input: "Hi" };

test.each([
  ["a chat", CHAT, hello],
  ["a streamed chat", CHAT, { ...hello, stream: true }],
  ["a chat with two choices", CHAT, { ...hello, stream: true, n: 2 }],
  ["a chat with tools", CHAT, { ...hello, stream: true, tools }],
  ["a chat with a schema", CHAT, { ...hello, response_format: { type: "json_schema", json_schema } }],
  ["a completion", "/v1/completions", completion],
  ["a streamed completion", "/v1/completions", { ...completion, stream: true }],
  ["a response", "/v1/responses", response],
  ["a streamed response", "/v1/responses", { ...response, stream: true }],
  ["embeddings", "/v1/embeddings", { model: "infetch-tiny-embed", input: ["a", "b"] }],
])("%s", async (_, path, body) => {
  const origin = new Origin();
  const reply = () => Array.from({ length: 20 }, () => "x");
  const tab = await origin.openTab({ reply, gate: turn }, { models: [embedder] });
  const { apiKey, key } = await tab.create({ account: "team", limits: { concurrentRequests: 1 } });
  const connection = await connect(tab, origin);
  const ports = openPorts();
  const left = async () => {
    const { usage } = unwrap(await tab.keys.list()).find(({ id }) => id === key.id)!;
    const events = unwrap(await tab.ledger.rpc.usage({ account: "team" }));
    const recorded = events.reduce((sum, one) => sum + one.inputTokens + one.outputTokens, 0);
    const database = tab.ledger.database!;
    return {
      notRecorded: usage.today.tokens - recorded,
      active: usage.activeRequests,
      checkpoints: await database.read(["inflight"], (all) => all.objectStore("inflight").count()),
      running: tab.engine.running,
      // Those of earlier tests may still close.
      ports: Math.max(0, openPorts() - ports),
    };
  };
  const init = { method: "POST", headers: { authorization: `Bearer ${apiKey}` }, body: JSON.stringify(body) };
  const property = fc.asyncProperty(fc.nat(150), async (turns) => {
    await play(connection, `https://app.test${path}`, init, turns);
    const nothing = { notRecorded: 0, active: 0, checkpoints: 0, running: 0, ports: 0 };
    await expect.poll(left, { interval: 1 }).toEqual(nothing);
  });
  await fc.assert(property, { numRuns: 8 });
  connection.fail(new Error("over"));
});
