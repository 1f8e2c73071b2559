import { expect, test, vi } from "vitest";
import { RuntimeClosedError, WorkerLostError } from "../../../src/errors.ts";
import { createFetch } from "../../../src/fetch/create-fetch.ts";
import type { Connection } from "../../../src/port/connection.ts";
import { bodyOf } from "../../../src/protocol/transfer/request-body.ts";
import { stateOf } from "../../../src/protocol/transfer/request-state.ts";
import { retryOnServerLoss } from "../../../src/tabs/retry-on-server-loss.ts";

interface Seen {
  id: string;
  attempt: number;
  body: string;
}

/** Connects to servers, the first `deaths` of which fail after they have read the request. */
function dyingServers(deaths: number, error: Error = new WorkerLostError(), onSeen = () => {}) {
  const seen: Seen[] = [];
  const fetch = async (request: Request) => {
    const { id, attempt } = stateOf(request);
    seen.push({ id, attempt, body: await new Response(bodyOf(request)).text() });
    onSeen();
    if (seen.length <= deaths) throw error;
    return new Response("answer");
  };
  return { seen, connect: async () => ({ fetch }) as unknown as Connection };
}

const post = (init: RequestInit = {}) =>
  new Request("https://any.example/v1", { method: "POST", body: "whole", ...init });

test.each([0, 1, 2])("after %i deaths a request is answered, whole and under its own id", async (deaths) => {
  const { seen, connect } = dyingServers(deaths);
  const request = post();
  const { id } = stateOf(request);
  expect(await (await retryOnServerLoss(request, connect)).text()).toBe("answer");
  expect(seen).toEqual(Array.from({ length: deaths + 1 }, (_, attempt) => ({ id, attempt, body: "whole" })));
});

test("a request under which three servers died is given up", async () => {
  const { seen, connect } = dyingServers(3);
  await expect(retryOnServerLoss(post(), connect)).rejects.toThrow(WorkerLostError);
  expect(seen).toHaveLength(3);
});

test("what is no death is not sent again, nor what was aborted, nor where once is all there is", async () => {
  const failing = dyingServers(1, new TypeError("body"));
  await expect(retryOnServerLoss(post(), failing.connect)).rejects.toThrow("body");
  const abort = new AbortController();
  const aborted = dyingServers(1, undefined, () => abort.abort());
  await expect(retryOnServerLoss(post({ signal: abort.signal }), aborted.connect)).rejects.toThrow(
    WorkerLostError,
  );
  const once = dyingServers(1);
  await expect(retryOnServerLoss(post(), once.connect, 1)).rejects.toThrow(WorkerLostError);
  for (const { seen } of [failing, aborted, once]) expect(seen).toHaveLength(1);
});

const NEVER = new Promise<Connection>(() => {});
const closed = () => Promise.reject<Connection>(new RuntimeClosedError());
const refusing = async () => ({ fetch: () => Promise.reject(new TypeError("no")) }) as unknown as Connection;

test.each([
  ["is not reached, and may be asked again", closed, 3],
  ["is not reached", closed, 1],
  ["does not take it", refusing, 3],
  ["is waited for as it is aborted", () => NEVER, 3],
] as const)("a streamed body is cancelled if the server %s", async (_, connect, servers) => {
  const cancel = vi.fn();
  const body = new ReadableStream({ cancel }, { highWaterMark: 0 });
  const abort = new AbortController();
  const send = createFetch(
    new URL("https://any.example/v1"),
    (request) => retryOnServerLoss(request, connect, servers),
    fetch,
  );
  const init = { method: "POST", body, duplex: "half", signal: abort.signal };
  const sending = send(new Request("https://any.example/v1/files", init as RequestInit));
  setTimeout(() => abort.abort());
  await expect(sending).rejects.toThrow();
  await expect.poll(() => cancel.mock.calls.length).toBe(1);
});

test("a connection that is lost before there is one is not sent to again", async () => {
  const connect = vi.fn(() => Promise.reject<Connection>(new WorkerLostError()));
  await expect(retryOnServerLoss(post(), connect)).rejects.toThrow(WorkerLostError);
  expect(connect).toHaveBeenCalledOnce();
});
