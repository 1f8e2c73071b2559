/** The console's service worker: what it answers when storage is full, and updates that another tab made. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { networkFirst } from "../../../demo/network-first.ts";

const request = new Request("https://app.test/infetch/llamacpp/compat/wllama.wasm");

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("a response that the full storage cannot keep is answered all the same", async () => {
  const put = vi.fn(async (_request: Request, _response: Response) => {
    throw new DOMException("The quota is exceeded.", "QuotaExceededError");
  });
  vi.stubGlobal("caches", { open: async () => ({ put }), match: async () => undefined });
  vi.stubGlobal("fetch", async () => new Response("wasm"));
  expect(await (await networkFirst(request, "used")).text()).toBe("wasm");
  expect(put).toHaveBeenCalledOnce();
});

test("storage that is denied fails no request; a partial or missing file is not kept", async () => {
  const open = vi.fn(async () => Promise.reject(new DOMException("Denied.", "SecurityError")));
  vi.stubGlobal("caches", { open, match: open });
  vi.stubGlobal("fetch", async () => new Response("wasm"));
  expect(await (await networkFirst(request, "used")).text()).toBe("wasm");
  vi.stubGlobal("fetch", async () => new Response("", { status: 404 }));
  expect((await networkFirst(request, "used")).status).toBe(404);
  expect(open).toHaveBeenCalledOnce();
});

test("without a network the kept response is the answer; without one, the network's error", async () => {
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("Failed to fetch")));
  vi.stubGlobal("caches", { match: async () => new Response("kept") });
  expect(await (await networkFirst(request, "used")).text()).toBe("kept");
  vi.stubGlobal("caches", { match: async () => undefined });
  await expect(networkFirst(request, "used")).rejects.toThrow("Failed to fetch");
});

type ServiceWorkers = EventTarget & { controller: object | null };

let serviceWorker: ServiceWorkers;
const reload = vi.fn();

beforeEach(() => {
  const registration = Object.assign(new EventTarget(), { waiting: null, installing: null });
  serviceWorker = Object.assign(new EventTarget(), {
    controller: null,
    register: async () => registration,
    ready: Promise.resolve(registration),
  });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("document", { baseURI: "https://app.test/" });
  vi.stubGlobal("location", { reload });
  vi.stubGlobal("navigator", { onLine: true, serviceWorker });
});

test("a page whose app another tab updated is offered a reload; a first version is no update", async () => {
  const { offline, startOffline } = await import("../../../demo/store/offline.ts");
  startOffline();
  await vi.waitFor(() => expect(offline.value.isReady).toBe(true));
  serviceWorker.controller = {};
  serviceWorker.dispatchEvent(new Event("controllerchange"));
  expect(offline.value.update).toBeUndefined();
  serviceWorker.dispatchEvent(new Event("controllerchange"));
  offline.value.update!();
  expect(reload).toHaveBeenCalledOnce();
});
