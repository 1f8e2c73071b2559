/** The page's end of its server worker. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PACKAGE_VERSION } from "../../../src/protocol/package-version.ts";
import { ServerWorker } from "../../../src/tabs/server-worker.ts";
import { FakeWebLocks } from "../../fakes/fake-web-locks.ts";

class FakeWorker {
  static latest: FakeWorker;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  postMessage = vi.fn();
  terminate = vi.fn();
  constructor() {
    FakeWorker.latest = this;
  }
}

beforeEach(() => {
  vi.stubGlobal("navigator", { locks: new FakeWebLocks() });
  vi.stubGlobal("location", new URL("https://app.test/"));
  vi.stubGlobal("fetch", async () => new Response("script"));
  vi.stubGlobal("Worker", FakeWorker);
});
afterEach(() => vi.unstubAllGlobals());

function start() {
  const events = { onReady: vi.fn(), onEnd: vi.fn() };
  const server = new ServerWorker(
    new URL("https://app.test/server.js"),
    { engineURLs: {} } as never,
    0,
    events,
  );
  const post = (data: unknown): void => FakeWorker.latest.onmessage!({ data });
  return { server, events, post, worker: FakeWorker.latest };
}

test.each([
  [null],
  ["text"],
  [{ type: "log", text: "a library's" }],
  [{}],
  [{ type: "started", version: "0.0.1" }],
  [{ type: "ready" }],
  [{ type: "failed", code: "failed", message: "A library's." }],
  [{ type: "ready", workerLock: "another" }],
])("messages that are not the server's end no server: %j", (data) => {
  const { server, events, post, worker } = start();
  post(data);
  post({ type: "started", workerLock: "lock", version: PACKAGE_VERSION });
  post(data);
  expect(worker.terminate).not.toHaveBeenCalled();
  expect(events.onEnd).not.toHaveBeenCalled();
  expect(events.onReady).not.toHaveBeenCalled();
  post({ type: "ready", workerLock: "lock" });
  expect(events.onReady).toHaveBeenCalledOnce();
  server.terminate();
});

test("a server that cannot start says why", () => {
  const { events, post } = start();
  post({ type: "started", workerLock: "lock", version: PACKAGE_VERSION });
  post({ type: "failed", workerLock: "lock", code: "part_unavailable", message: "No network." });
  expect(events.onEnd).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ code: "part_unavailable", message: "No network." }),
  );
});

test("a server of another release is ended", () => {
  const { events, post, worker } = start();
  post({ type: "started", workerLock: "lock", version: "0.0.1" });
  expect(worker.terminate).toHaveBeenCalledOnce();
  expect(events.onReady).not.toHaveBeenCalled();
});
