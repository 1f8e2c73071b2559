/** The policy that the package's workers make where Trusted Types are required. */

import { afterEach, expect, test, vi } from "vitest";
import { allowOwnWorkers } from "../../../../src/protocol/trusted-types.ts";

afterEach(() => vi.unstubAllGlobals());

interface Rules {
  createScriptURL(url: string): string | null;
}

test("it allows scripts of the worker's origin, and no others", () => {
  const made = new Map<string, Rules>();
  vi.stubGlobal("location", new URL("https://app.test/infetch/worker/server.js"));
  vi.stubGlobal("trustedTypes", { createPolicy: (name: string, rules: Rules) => made.set(name, rules) });
  allowOwnWorkers();
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

test("a policy that may not be made, and a browser without Trusted Types, change nothing", () => {
  allowOwnWorkers();
  const createPolicy = vi.fn(() => {
    throw new TypeError("Policy default disallowed");
  });
  vi.stubGlobal("trustedTypes", { createPolicy });
  allowOwnWorkers();
  expect(createPolicy).toHaveBeenCalledOnce();
});
