/** Realms that cannot start or join a server: without an error, their requests would wait forever. */

import { expose } from "comlink";
import { afterEach, expect, test, vi } from "vitest";
import { joinServer } from "../../../src/port/join-server.ts";
import { startServer } from "../../../src/port/start-server.ts";
import type { Hello } from "../../../src/protocol/wire.ts";
import { createRuntime } from "../../../src/runtime.ts";

const SERVER_LOCK = "infetch:server";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/**
 * @param held locks that the frame sees
 * @param onHello of the server at the other end
 */
function inFrame(
  held: string[],
  request: () => Promise<unknown>,
  origin = "https://app.test",
  onHello: (hello: Hello) => void = () => {},
): MessagePort {
  const query = async () => ({ held: held.map((name) => ({ name })), pending: [] });
  vi.stubGlobal("navigator", { locks: { request, query } });
  vi.stubGlobal("location", new URL("https://app.test/"));
  vi.stubGlobal("origin", origin);
  vi.stubGlobal("isSecureContext", true);
  const { port1, port2 } = new MessageChannel();
  const hello = async (said: Hello) => {
    onHello(said);
    return { ok: true, value: { serverLock: SERVER_LOCK } };
  };
  expose({ hello }, port1);
  return port2;
}

const granted = async (_name?: string, ...rest: unknown[]): Promise<unknown> =>
  (rest.at(-1) as (() => unknown) | undefined)?.();

test("a frame of the server's origin", async () => {
  const joined = await joinServer(inFrame([SERVER_LOCK], granted));
  expect(joined.apiKey).toMatch(/^infetch-/);
  joined.close();
});

test.each([
  ["AbortSignal", {}],
  [
    "URL",
    class extends URL {
      static override canParse = undefined as never;
    },
  ],
])("a browser whose %s is too old", async (name, old) => {
  const port = inFrame([SERVER_LOCK], granted);
  vi.stubGlobal(name, old);
  await expect(joinServer(port)).rejects.toMatchObject({
    code: "unsupported_browser",
    message: expect.stringContaining("Safari 17.4"),
  });
});

test("a browser that never grants the lock", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const joining = joinServer(inFrame([SERVER_LOCK], () => new Promise(() => {})));
  const refused = expect(joining).rejects.toMatchObject({
    code: "web_locks_unavailable",
    message: expect.stringContaining("Restart it"),
  });
  await vi.advanceTimersByTimeAsync(40_000);
  await refused;
  expect(vi.getTimerCount()).toBe(0);
});

test("a prerendered page, to which no lock is granted before it is shown", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const document = Object.assign(new EventTarget(), { prerendering: true });
  vi.stubGlobal("document", document);
  const shown = new Promise((resolve) => document.addEventListener("prerenderingchange", resolve));
  const joining = joinServer(inFrame([SERVER_LOCK], (...call: []) => shown.then(() => granted(...call))));
  joining.catch(() => {});
  await vi.advanceTimersByTimeAsync(40_000);
  document.prerendering = false;
  document.dispatchEvent(new Event("prerenderingchange"));
  (await joining).close();
});

test.each([
  ["/größe/v1/", "/gr%C3%B6%C3%9Fe/v1"],
  ["ai/v 1", "/ai/v%201"],
  ["/", ""],
])("the server gets the base %j as the addresses of requests have it", async (basePath, told) => {
  const bases: string[] = [];
  const port = inFrame([SERVER_LOCK], granted, undefined, (hello) => bases.push(hello.basePath));
  // A frame without an address of its own.
  vi.stubGlobal("location", new URL("about:srcdoc"));
  (await joinServer(port, { basePath })).close();
  expect(bases).toEqual([told]);
});

test.each([
  [{ basePath: new URL("https://app.test/v1") }, "basePath must be a string, such as /v1."],
  [{ onEvent: {} }, "onEvent must be a function."],
])("options of another type are refused before a lock is held: %j", async (options, message) => {
  const request = vi.fn(granted);
  await expect(joinServer(inFrame([SERVER_LOCK], request), options as never)).rejects.toThrow(message);
  expect(request).not.toHaveBeenCalled();
});

test("a frame of another origin, or of another partition of the storage", async () => {
  await expect(joinServer(inFrame([], granted))).rejects.toMatchObject({
    code: "other_origin",
    message: expect.stringContaining("https://app.test"),
  });
});

test("a port whose server has ended", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  inFrame([SERVER_LOCK], granted);
  const { port1, port2 } = new MessageChannel();
  port2.close();
  const joining = joinServer(port1);
  joining.catch(() => {});
  // The key is made outside of this thread.
  while (vi.getTimerCount() === 0) await new Promise((over) => setImmediate(over));
  await vi.advanceTimersByTimeAsync(29_999);
  await expect(Promise.race([joining, Promise.resolve("pending")])).resolves.toBe("pending");
  await vi.advanceTimersByTimeAsync(1);
  await expect(joining).rejects.toMatchObject({ code: "worker_lost" });
});

test("a sandboxed frame, without an origin", async () => {
  const refused = () => Promise.reject(new DOMException("denied", "SecurityError"));
  await expect(joinServer(inFrame([], refused, "null"))).rejects.toMatchObject({ code: "opaque_origin" });
});

test("startServer() says as createRuntime() where it cannot run", async () => {
  await expect(startServer()).rejects.toMatchObject({ code: "not_in_a_page" });
  vi.stubGlobal("Worker", class {});
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("isSecureContext", false);
  vi.stubGlobal("location", new URL("http://192.168.0.2:5173/"));
  await expect(startServer()).rejects.toMatchObject({ code: "insecure_context" });
});

test("a server that has workers, as Bun and Deno have, is no page", async () => {
  vi.stubGlobal("Worker", class {});
  vi.stubGlobal("navigator", { locks: { request: granted } });
  vi.stubGlobal("location", undefined);
  for (const start of [createRuntime, startServer])
    await expect(start()).rejects.toMatchObject({ code: "not_in_a_page" });
});
