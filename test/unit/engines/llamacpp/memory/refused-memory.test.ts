/** llama.cpp's worker script in a browser that refuses WebAssembly more memory, as phones do. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyLlamaCpp } from "../../../../../scripts/build/llamacpp.ts";

interface Posted {
  verb?: string;
  code?: string;
  reason?: string;
  callbackId?: number;
}

let folder: string;
let posted: Posted[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infetch-llamacpp-"));
  await copyLlamaCpp(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts the compat build, which Node can run, in a worker's global scope. @returns a call of the script */
async function startScript(refuses: boolean): Promise<(verb: string, ...args: unknown[]) => Promise<void>> {
  posted = [];
  const files = join(folder, "compat");
  const scope: Record<string, unknown> & { onmessage?: (event: object) => Promise<void> } = {
    WorkerGlobalScope: class {},
    WorkerNavigator: class {},
    Worker: class {},
    XMLHttpRequest: class {},
    console,
    URL,
    TextDecoder,
    TextEncoder,
    performance,
    setTimeout,
    location: { href: "https://any.example/compat/worker.js" },
    name: JSON.stringify({ threads: 0, lock: "any", onGPU: false }),
    navigator: { locks: { request() {} }, hardwareConcurrency: 1 },
    postMessage: (message: Posted) => posted.push(message),
    fetch: () => readFile(join(files, "wllama.wasm")),
  };
  scope.self = scope;
  createContext(scope);
  runInContext(
    `WebAssembly.instantiateStreaming = async (bytes, imports) => WebAssembly.instantiate(await bytes, imports);
    if (${refuses}) WebAssembly.Memory.prototype.grow = () => { throw new RangeError("refused"); };`,
    scope,
  );
  runInContext(await readFile(join(files, "worker.js"), "utf8"), scope);
  let calls = 0;
  return async (verb, ...args) => {
    calls += 1;
    const callbackId = calls;
    await scope.onmessage!({ data: { verb, args, callbackId } });
    await expect.poll(() => posted.some((message) => message.callbackId === callbackId)).toBe(true);
  };
}

const MORE_THAN_INITIAL = 200 * 2 ** 20;

test("refused memory is reported before anything is written to address 0", async () => {
  const call = await startScript(true);
  await call("module.init", "", false);
  expect(posted.some(({ verb }) => verb === "infetch.failed")).toBe(false);
  await call("fs.alloc", "model.gguf", MORE_THAN_INITIAL, true);
  const failed = posted.findIndex(({ verb }) => verb === "infetch.failed");
  expect(posted[failed]).toMatchObject({ code: "out_of_memory", reason: expect.stringContaining("128 MB") });
  expect(failed).toBeLessThan(posted.findIndex(({ callbackId }) => callbackId === 2));
});

test("memory that is granted is not reported", async () => {
  const call = await startScript(false);
  await call("module.init", "", false);
  await call("fs.alloc", "model.gguf", MORE_THAN_INITIAL, true);
  expect(posted.some(({ verb }) => verb === "infetch.failed")).toBe(false);
});
