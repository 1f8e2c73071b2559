/**
 * Package files that are misplaced, of the wrong type, or blocked by a policy: the error has its own code and names
 * the file's URL, what was found there, and the remedy.
 */

import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chromiumArguments, findChromium, withoutWebGPU } from "../../../scripts/browsers/chromium.ts";
import type { RuntimeOptions } from "../../../src/options/runtime-options.ts";
import { type FaultyServer, HTML, MISSING, startFaultyServer } from "./support/faulty-server.ts";
import { type Failure, type Step, take } from "./support/steps.ts";

let server: FaultyServer;
/** Another origin, which allows CORS requests from any page. */
let elsewhere: FaultyServer;
let webgpu: Browser;
let noWebGPU: Browser;

beforeAll(async () => {
  [server, elsewhere] = [await startFaultyServer(), await startFaultyServer()];
  elsewhere.fault = () => ({ headers: { "access-control-allow-origin": "*" } });
  const executablePath = findChromium();
  webgpu = await chromium.launch({ executablePath, args: chromiumArguments });
  noWebGPU = await chromium.launch({ executablePath, args: withoutWebGPU });
});
afterAll(async () => {
  await webgpu?.close();
  await noWebGPU?.close();
  await server?.close();
  await elsewhere?.close();
});
beforeEach(() => {
  server.fault = () => undefined;
});

/** The ledger's events. Where no server has started, the databases of the origin, which has no ledger then. */
function recorded(page: Page): Promise<unknown[]> {
  return page.evaluate("globalThis.runtime ? runtime.usage.list() : indexedDB.databases()");
}

/** Of the first step that fails; also checks that nothing is charged for it. */
async function failureOf(
  steps: Step[],
  { options = {}, browser = webgpu }: { options?: RuntimeOptions; browser?: Browser } = {},
): Promise<Failure> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(server.origin);
    const failure = (await take(page, steps, { storageName: crypto.randomUUID(), ...options }))!;
    expect(await recorded(page)).toEqual([]);
    return failure;
  } finally {
    await context.close();
  }
}

function expectFault(failure: Failure, path: string, ...parts: (string | RegExp)[]): void {
  expect(failure?.code).toBe("assets_not_found");
  for (const part of [server.origin + path, ...parts, "docs/packaging.md"]) {
    expect(failure.message).toMatch(
      typeof part === "string" ? new RegExp(part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")) : part,
    );
  }
}

const SERVER = "/package/worker/server.js";

describe("the server's worker", () => {
  test("at a wrong assetsURL: nothing is there", async () => {
    const failure = await failureOf([], { options: { assetsURL: "/elsewhere/" } });
    expectFault(failure, "/elsewhere/worker/server.js", "404", "npx infetch copy", "assetsURL");
  });

  test("at a wrong assetsURL: the app's own page is there", async () => {
    server.fault = (path) => (path.startsWith("/elsewhere/") ? { status: 200, ...HTML } : undefined);
    const failure = await failureOf([], { options: { assetsURL: "/elsewhere" } });
    expectFault(failure, "/elsewhere/worker/server.js", "HTML", "npx infetch copy", "assetsURL");
  });

  test("an HTML page that is served as a script", async () => {
    const headers = { "content-type": "text/javascript" };
    server.fault = (path) => (path === SERVER ? { ...HTML, headers } : undefined);
    expectFault(await failureOf([]), SERVER, "HTML");
  });

  test("a type that is no script's", async () => {
    server.fault = (path) => (path === SERVER ? { headers: { "content-type": "text/plain" } } : undefined);
    expectFault(await failureOf([]), SERVER, "text/plain", "text/javascript");
  });

  test("on another origin", async () => {
    const failure = await failureOf([], { options: { assetsURL: `${elsewhere.origin}/package/` } });
    expect(failure).toMatchObject({ step: "start", code: "assets_not_found" });
    expect(failure.message).toContain(`${elsewhere.origin}/package/worker/server.js`);
    expect(failure.message).toContain("another origin");
  });

  test("forbidden by the page's policy", async () => {
    const headers = { "content-security-policy": "worker-src 'none'" };
    server.fault = (path) => (path === "/" ? { headers } : undefined);
    expectFault(await failureOf([]), SERVER, "Content-Security-Policy", "worker-src");
  });

  test("in an isolated page, not isolated itself", async () => {
    const headers = {
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
    };
    server.fault = (path) => (path === "/" ? { headers } : undefined);
    expectFault(await failureOf([]), SERVER, "Cross-Origin-Embedder-Policy: require-corp");
  });

  test("a server that cuts the connection", async () => {
    server.fault = (path) => (path === SERVER ? { isCut: true } : undefined);
    const failure = await failureOf([]);
    expectFault(failure, SERVER, "cannot be fetched");
  });
});

describe.each([
  ["web-llm", "chat", () => webgpu, "webllm", "infetch-tiny/model-library.wasm"],
  ["llama.cpp", "chat", () => noWebGPU, "llamacpp", "llamacpp/wllama.wasm"],
  ["transformers.js", "embeddings", () => webgpu, "transformers", "ort/ort-wasm-simd-threaded.wasm"],
] as const)("%s", (_, step, browser, engine, wasm) => {
  const script = `/package/worker/${engine}.js`;
  const failure = () => failureOf([step], { browser: browser() });

  test("under a policy that forbids WebAssembly", async () => {
    const headers = { "content-security-policy": "default-src 'self'; script-src 'self'" };
    server.fault = () => ({ headers });
    const found = await failure();
    expectFault(found, "/package/", wasm, "WebAssembly", "'wasm-unsafe-eval'");
    expect(found.status).toBe(503);
  });

  test("its worker forbidden by the policy of the server's worker", async () => {
    const headers = { "content-security-policy": "worker-src 'none'" };
    server.fault = (path) => (path === SERVER ? { headers } : undefined);
    expectFault(await failure(), script, "Content-Security-Policy", "worker-src");
  });

  test("its worker of a type that is no script's", async () => {
    server.fault = (path) =>
      path === script ? { headers: { "content-type": "application/octet-stream" } } : undefined;
    expectFault(await failure(), script, "application/octet-stream");
  });

  test("its worker empty", async () => {
    server.fault = (path) => (path === script ? { body: "" } : undefined);
    expectFault(await failure(), script, "empty");
  });
});

describe("llama.cpp's own worker", () => {
  const WORKER = "/package/llamacpp/worker.js";

  test("forbidden by the policy of the engine's worker", async () => {
    const headers = { "content-security-policy": "worker-src 'none'; script-src 'self' 'wasm-unsafe-eval'" };
    server.fault = (path) => (path === "/package/worker/llamacpp.js" ? { headers } : undefined);
    expectFault(await failureOf(["chat"], { browser: noWebGPU }), WORKER, "worker-src");
  });

  test("under a policy of its own that forbids WebAssembly", async () => {
    const headers = { "content-security-policy": "script-src 'self'" };
    server.fault = (path) => (path === WORKER ? { headers } : undefined);
    const failure = await failureOf(["chat"], { browser: noWebGPU });
    expect(failure).toMatchObject({ step: "chat", status: 503 });
    expect(failure.message).toMatch(/WebAssembly/);
  });

  test("that never runs its first line is started again", async () => {
    // Only the first worker gets an empty script: what looks for the cause finds the file in order.
    let starts = 0;
    server.fault = (path, _, destination) =>
      path === WORKER && destination === "worker" && ++starts === 1 ? { body: "" } : undefined;
    const page = await noWebGPU.newPage();
    await page.goto(server.origin);
    expect(await take(page, ["chat"], { storageName: crypto.randomUUID() })).toBeUndefined();
    expect(starts).toBe(2);
    expect(await recorded(page)).toHaveLength(1);
    await page.close();
  });

  test.each([
    ["missing", MISSING],
    ["an HTML page", HTML],
    ["cut", { body: "\0asm" }],
  ])("its WebAssembly %s", async (_, fault) => {
    server.fault = (path) => (path === "/package/llamacpp/wllama.wasm" ? fault : undefined);
    const failure = await failureOf(["chat"], { browser: noWebGPU });
    expect(failure).toMatchObject({ step: "chat", status: 503 });
    if (fault.body !== "\0asm") expectFault(failure, "/package/llamacpp/wllama.wasm");
  });
});

test("once the file is there, the next request is answered", async () => {
  server.fault = (path) => (path === "/package/llamacpp/wllama.wasm" ? MISSING : undefined);
  const context = await noWebGPU.newContext();
  const page = await context.newPage();
  await page.goto(server.origin);
  const first = await take(page, ["chat"], { storageName: "mended" });
  expect(first?.code).toBe("assets_not_found");
  expect(await recorded(page)).toEqual([]);
  server.fault = () => undefined;
  expect(await take(page, ["chat"], { storageName: "mended" })).toBeUndefined();
  expect(await recorded(page)).toHaveLength(1);
  await context.close();
});
