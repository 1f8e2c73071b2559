import { expose } from "comlink";
import { afterEach, expect, test, vi } from "vitest";
import { Connection } from "../../../src/port/connection.ts";
import { FakeWebLocks } from "../../fakes/fake-web-locks.ts";

afterEach(() => vi.unstubAllGlobals());

test("a page that the server refuses keeps neither its lock nor its port", async () => {
  const locks = new FakeWebLocks();
  const request = vi.fn(locks.request.bind(locks));
  vi.stubGlobal("navigator", { locks: { request } });
  const { port1, port2 } = new MessageChannel();
  const error = { name: "ProtocolVersionError", code: "protocol_version", message: "reload" };
  expose({ hello: async () => ({ ok: false, error }) }, port1);
  const closed = new Promise((resolve) => port1.addEventListener("close", resolve));
  await expect(Connection.open(port2, { pageId: "page", basePath: "/v1" }, () => {})).rejects.toMatchObject(
    error,
  );
  await closed;
  const [pageLock] = request.mock.calls[0]!;
  expect(await locks.request(pageLock, { ifAvailable: true }, async (lock) => lock?.name)).toBe(pageLock);
});
