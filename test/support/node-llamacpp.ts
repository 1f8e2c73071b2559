/** The built-in model in llama.cpp's compat build, which Node can run, in a worker's scope on this thread. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { afterAll, beforeAll, vi } from "vitest";
import { copyLlamaCpp } from "../../scripts/build/llamacpp.ts";
import { LlamaInstance } from "../../worker/engines/llamacpp/llama-instance.ts";
import type { InstanceOptions } from "../../worker/engines/llamacpp/load-parameters.ts";
import { ggufVariant } from "./gguf/variants.ts";

const URL_OF_FILES = "https://any.example/llamacpp/";

/**
 * The instance of a file's tests, whose globals are stubbed meanwhile.
 *
 * @param projector the variant with which the model takes images
 */
export function useLlamaInstance(contextWindow: number, projector?: string): () => LlamaInstance {
  let instance: LlamaInstance;
  beforeAll(async () => {
    instance = await startLlamaInstance(contextWindow, projector);
  }, 60_000);
  afterAll(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  return () => instance;
}

async function startLlamaInstance(contextWindow: number, projector?: string): Promise<LlamaInstance> {
  const blobOf = async (variant: string) => new Blob([new Uint8Array((await ggufVariant(variant))!.bytes)]);
  const parts = [await blobOf("tiny-q8_0.gguf")];
  return loadLlamaInstance(parts, {
    contextWindow,
    projector: projector === undefined ? undefined : await blobOf(projector),
  });
}

/** Loads any files; the globals stay stubbed. */
export async function loadLlamaInstance(
  parts: readonly Blob[],
  options: Pick<InstanceOptions, "contextWindow" | "projector" | "embedding">,
): Promise<LlamaInstance> {
  const folder = await mkdtemp(join(tmpdir(), "infetch-llamacpp-"));
  try {
    await copyLlamaCpp(folder);
    const [script, wasm] = await Promise.all(
      ["worker.js", "wllama.wasm"].map((name) => readFile(join(folder, "compat", name))),
    );
    vi.stubGlobal("self", globalThis);
    vi.stubGlobal("navigator", { userAgent: "Chrome/140", locks: { request: () => new Promise(() => {}) } });
    vi.stubGlobal("location", new URL(URL_OF_FILES));
    vi.stubGlobal("document", { baseURI: URL_OF_FILES });
    vi.stubGlobal("Worker", workerOf(script!.toString(), wasm!));
    // A load that takes long looks for its files.
    vi.stubGlobal("fetch", async (url: string) =>
      url.endsWith(".wasm")
        ? fileOf(wasm!, "application/wasm")
        : fileOf(script!, "text/javascript; charset=utf-8"),
    );
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:worker");
    vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
    const fixed = { assetsURL: URL_OF_FILES, threads: 1, cacheType: "f32", onGPU: false } as const;
    return await LlamaInstance.load(parts, { ...fixed, ...options });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function fileOf(bytes: Uint8Array, type: string): Response {
  return new Response(new Uint8Array(bytes), { headers: { "content-type": type } });
}

function workerOf(script: string, wasm: Uint8Array) {
  return class extends EventTarget {
    readonly #scope: Record<string, unknown> & { onmessage?: (event: object) => void };
    onmessage: ((event: object) => void) | undefined;

    constructor(_url: string, { name }: WorkerOptions) {
      super();
      this.#scope = {
        WorkerGlobalScope: class {},
        WorkerNavigator: class {},
        Worker: class {},
        console: { ...console, error() {} },
        URL,
        TextDecoder,
        TextEncoder,
        performance,
        setTimeout,
        crypto,
        // Of this realm, as messages are not cloned.
        ArrayBuffer,
        Uint8Array,
        Uint32Array,
        location: { href: `${URL_OF_FILES}compat/worker.js` },
        name,
        navigator: { locks: { request() {} }, hardwareConcurrency: 1 },
        postMessage: (data: unknown) => setTimeout(() => this.onmessage?.({ data })),
        fetch: async () => fileOf(wasm, "application/wasm"),
      };
      this.#scope.self = createContext(this.#scope);
      runInContext(script, this.#scope);
    }

    postMessage(data: unknown): void {
      setTimeout(() => this.#scope.onmessage!({ data }));
    }

    terminate(): void {}
  };
}
