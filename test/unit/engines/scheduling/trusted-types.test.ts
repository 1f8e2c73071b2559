/** The policies that the package makes where Trusted Types are required. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

interface Rules {
  createScriptURL(url: string): string | null;
}

/** Policies made, by name; each marks what it allows. */
const made = new Map<string, Rules>();
const createPolicy = vi.fn((name: string, { createScriptURL }: Rules): Rules => {
  made.set(name, { createScriptURL });
  return { createScriptURL: (url) => `allowed:${createScriptURL(url)}` };
});

beforeEach(() => {
  vi.resetModules();
  made.clear();
  createPolicy.mockClear();
  vi.stubGlobal("location", new URL("https://app.test/infetch/worker/server.js"));
  vi.stubGlobal("origin", "https://app.test");
});

afterEach(() => vi.unstubAllGlobals());

const load = () => import("../../../../src/protocol/assets/trusted-types.ts");

test("libraries in a worker may start scripts of its origin, and no others", async () => {
  vi.stubGlobal("trustedTypes", { createPolicy });
  (await load()).allowOwnWorkers();
  const { createScriptURL } = made.get("default")!;
  for (const url of ["https://app.test/infetch/worker/webllm.js", "webllm.js", "blob:https://app.test/0b5c"])
    expect(createScriptURL(url)).toBe(url);
  for (const url of [
    "https://other.test/webllm.js",
    "data:text/javascript,0",
    "blob:https://other.test/0b5c",
  ])
    expect(createScriptURL(url)).toBeNull();
});

const SERVER = "https://app.test/infetch/worker/server.js";

test("a script of the origin is allowed by one policy, whose name is the package's", async () => {
  vi.stubGlobal("trustedTypes", { createPolicy, defaultPolicy: null });
  const { allowedScriptURL } = await load();
  expect(allowedScriptURL(new URL(SERVER))).toBe(`allowed:${SERVER}`);
  expect(allowedScriptURL(SERVER)).toBe(`allowed:${SERVER}`);
  expect(createPolicy).toHaveBeenCalledOnce();
  expect([...made.keys()]).toEqual(["infetch"]);
});

test("what another origin has, and what the app's own policy decides, is unchanged", async () => {
  vi.stubGlobal("trustedTypes", { createPolicy, defaultPolicy: null });
  const { allowedScriptURL } = await load();
  expect(allowedScriptURL("https://other.test/server.js")).toBe("https://other.test/server.js");
  const deciding = createPolicy("default", { createScriptURL: () => null });
  createPolicy.mockClear();
  vi.stubGlobal("trustedTypes", { createPolicy, defaultPolicy: deciding });
  expect(allowedScriptURL(SERVER)).toBe(SERVER);
  expect(createPolicy).not.toHaveBeenCalled();
});

test("a policy of the app for markup alone decides nothing about scripts", async () => {
  const createScriptURL = (): never => {
    throw new TypeError("Policy default did not specify a createScriptURL member");
  };
  vi.stubGlobal("trustedTypes", { createPolicy, defaultPolicy: { createScriptURL } });
  expect((await load()).allowedScriptURL(SERVER)).toBe(`allowed:${SERVER}`);
});

test("a policy that may not be made, and a browser without Trusted Types, change nothing", async () => {
  const { allowedScriptURL, allowOwnWorkers } = await load();
  allowOwnWorkers();
  expect(allowedScriptURL(SERVER)).toBe(SERVER);
  createPolicy.mockImplementation(() => {
    throw new TypeError("Policy default disallowed");
  });
  vi.stubGlobal("trustedTypes", { createPolicy, defaultPolicy: null });
  allowOwnWorkers();
  expect(allowedScriptURL(SERVER)).toBe(SERVER);
  expect(createPolicy).toHaveBeenCalledTimes(2);
});
