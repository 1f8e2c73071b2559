import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { resolveOptions } from "../../../src/options/resolve-options.ts";
import type { RuntimeOptions } from "../../../src/options/runtime-options.ts";
import { optionsError } from "../../../src/options/setup-errors.ts";

beforeAll(() => void vi.stubGlobal("location", { href: "https://app.test/", origin: "https://app.test" }));
afterAll(() => void vi.unstubAllGlobals());

const resolve = (options: RuntimeOptions) =>
  resolveOptions(options, "https://app.test/package/index.js").server;

test("the hub has its own address by default, and no token", () => {
  expect(resolve({}).hub).toEqual({ url: "https://huggingface.co/" });
});

test("hub.url is for every kind of model", () => {
  expect(resolve({ hub: { url: "https://mirror.test/hf" } }).hub.url).toBe("https://mirror.test/hf/");
  expect(resolve({ hub: { url: "/hub" } }).hub.url).toBe("https://app.test/hub/");
});

test("a token and a mirror of the libraries go to the server", () => {
  const { hub } = resolve({ hub: { token: "hf_secret", librariesURL: "https://mirror.test/libraries" } });
  expect(hub).toEqual({
    url: "https://huggingface.co/",
    token: "hf_secret",
    librariesURL: "https://mirror.test/libraries/",
  });
});

test.each(["two words", "line\nbreak", ""])("the token %j is refused, in words without it", (token) => {
  expect(optionsError({ hub: { token } }).message).toBe(
    "hub.token must be an access token: a string without spaces.",
  );
});

test("a token is not sent without https, in words without it", () => {
  const hub = { token: "hf_secret", url: "http://mirror.test/" };
  expect(() => resolve({ hub })).toThrow(/^hub\.token is sent over https only/);
  expect(() => resolve({ hub })).not.toThrow(/secret/);
});

test("a hub on this machine may have a token without https", () => {
  const hub = { token: "hf_secret", url: "http://127.0.0.1:4323/" };
  expect(resolve({ hub }).hub).toEqual({ ...hub, token: "hf_secret" });
});
