/** Calls of `runtime.models`, `runtime.keys` and the like, up to the connection. */

import { expect, test, vi } from "vitest";
import { resolveOptions } from "../../../src/options/resolve-options.ts";
import type { Connection } from "../../../src/port/connection.ts";
import { createRpcClient, loadWithSignal } from "../../../src/rpc-client.ts";

/** A connection that clones arguments as a port does. */
function connection(call = vi.fn(async (..._: unknown[]): Promise<unknown> => undefined)) {
  const connected = {
    call: async (group: string, method: string, values: unknown[]) =>
      call(group, method, ...structuredClone(values)),
  };
  return { call, connect: async () => connected as unknown as Connection };
}

const loadOver = (connect: () => Promise<Connection>) =>
  loadWithSignal(connect, createRpcClient(connect, "models"));

/** As Vue's `reactive()` and Svelte's `$state()` make them. */
function reactive<T extends object>(value: T): T {
  const get = (target: T, name: string | symbol): unknown => {
    const member = Reflect.get(target, name);
    return typeof member === "object" && member !== null ? reactive(member) : member;
  };
  return new Proxy<T>(value, { get });
}

test("arguments that cannot be cloned, such as Vue's reactive objects, are sent as their JSON", async () => {
  const { call, connect } = connection();
  const keys = createRpcClient(connect, "keys");
  await keys.create(reactive({ name: "form", limits: { requestsPerMinute: 6 } }));
  expect(call).toHaveBeenLastCalledWith("keys", "create", {
    name: "form",
    limits: { requestsPerMinute: 6 },
  });
  await keys.create({ name: "with a method", save() {} } as never);
  expect(call).toHaveBeenLastCalledWith("keys", "create", { name: "with a method" });
});

test("all others arrive as they are", async () => {
  const { call, connect } = connection();
  const billing = createRpcClient(connect, "billing");
  await billing.usage({ limit: Number.POSITIVE_INFINITY });
  expect(call).toHaveBeenLastCalledWith("billing", "usage", { limit: Number.POSITIVE_INFINITY });
  await billing.importUsage(new Blob(["backup"]));
  expect(await (call.mock.lastCall![2] as Blob).text()).toBe("backup");
  await billing.voidInvoice("id", undefined);
  expect(call).toHaveBeenLastCalledWith("billing", "voidInvoice", "id", undefined);
});

test("a reactive rate card is an option like any other", () => {
  vi.stubGlobal("location", new URL("https://app.test/"));
  const pricing = reactive({ "infetch-tiny": { input: 1, batch: { input: "0.5" } } });
  const { server } = resolveOptions({ billing: { pricing } }, "https://app.test/index.js");
  vi.unstubAllGlobals();
  expect(structuredClone(server.billing)).toMatchObject({
    pricing: { "infetch-tiny": { input: 1, batch: { input: "0.5" } } },
  });
});

test("a load that is aborted before there is a server rejects at once and cancels no other load", async () => {
  const { call, connect } = connection();
  let open = (): void => {};
  const opening = new Promise<void>((resolve) => {
    open = resolve;
  });
  const load = loadOver(async () => {
    await opening;
    return connect();
  });
  const abort = new AbortController();
  const loading = load("m", { signal: abort.signal });
  abort.abort("left");
  await expect(loading).rejects.toBe("left");
  open();
  await new Promise((over) => setTimeout(over));
  expect(call).not.toHaveBeenCalled();
});

test("a load that is aborted later is cancelled at the server, and rejects with the signal's reason", async () => {
  let fail = (_: Error): void => {};
  const { call, connect } = connection(
    vi.fn((_group, method) =>
      method === "load"
        ? new Promise((_, reject) => {
            fail = reject;
          })
        : Promise.resolve(fail(new Error("load_cancelled"))),
    ),
  );
  const abort = new AbortController();
  const loading = loadOver(connect)("m", { signal: abort.signal });
  await vi.waitFor(() => expect(call).toHaveBeenCalledWith("models", "load", "m"));
  abort.abort("left");
  await expect(loading).rejects.toBe("left");
  expect(call).toHaveBeenLastCalledWith("models", "cancel", "m");
});
