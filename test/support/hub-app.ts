/** The app on fake engines whose files are really downloaded, from the stand-in hub, into caches in memory. */

import { vi } from "vitest";
import { HubRepository } from "../../scripts/hub/repository.ts";
import { StandInHub, type StandInHubOptions } from "../../scripts/hub/stand-in-hub.ts";
import type { PrebuiltManifest } from "../../worker/catalog/chat/prebuilt.ts";
import type { ChatEngineName } from "../../worker/engine-api/chat-engine.ts";
import { withHubToken } from "../../worker/engine-api/hub-token.ts";
import { fetchGguf } from "../../worker/engines/llamacpp/model-files.ts";
import { placeModelFiles } from "../../worker/engines/webllm/load/model-files.ts";
import type { StoreEnvironment } from "../../worker/model-store/environment.ts";
import { FakeCaches } from "../fakes/fake-caches.ts";
import { type DeploymentApp, deploymentApp, HUB_CHAT } from "./deployment-app.ts";
import { mlcFiles } from "./hub-files.ts";
import { storeEnvironment } from "./store-environment.ts";

export interface HubApp extends DeploymentApp {
  hub: StandInHub;
  /** The repository of {@link HUB_CHAT}. */
  repository: HubRepository;
  caches: FakeCaches;
  environment: StoreEnvironment;
  /** Delays between attempts, in milliseconds; they pass at once. */
  waits: number[];
  /** Chats with a model. Deploys it first under its own name where it is not deployed. */
  chat(
    model?: string,
    file?: string,
  ): Promise<{ status: number; error: { code: string; message: string } | undefined }>;
  /** Sets the option `hub.token` for the next loads. */
  useToken(token: string | undefined): void;
  /** Paths that the hub was asked for, without its API and without the CDN. */
  files(): string[];
  /** Ends the model's engine; its files stay. */
  unload(): Promise<void>;
}

/** An engine on a graphics card with ordinary limits. */
export const TEST_GPU = { name: "test", limits: { maxStorageBufferBindingSize: 2 ** 30 } };

/** A llama.cpp that has every architecture. */
export const TEST_LLAMACPP = { name: "test", knows: async () => true };

/** Timeouts of downloads and of the API, which no test waits for. */
const TIMEOUTS_MS: readonly number[] = [60_000, 30_000, 3_000];

/** @param librariesURL host of the model library; by default a repository of the hub */
export async function hubApp(options: StandInHubOptions = {}, librariesURL?: string): Promise<HubApp> {
  // Memory plans ask for it; Node 20 has none.
  vi.stubGlobal("navigator", { hardwareConcurrency: 2 });
  const repository = new HubRepository(HUB_CHAT);
  repository.commit(mlcFiles());
  const gguf = new HubRepository("acme/tiny-GGUF");
  gguf.commit({ "tiny-q4.gguf": "weights of four bits", "tiny-q8.gguf": "weights of eight bits" });
  const libraries = new HubRepository("mlc-ai/libraries");
  libraries.commit({ "Qwen3-0.6B-q4f16_1_cs1k-webgpu.wasm": "\0asm library" });
  const hub = await StandInHub.start([repository, gguf, libraries], options);
  const caches = new FakeCaches();
  const waits: number[] = [];
  const environment = storeEnvironment(
    caches,
    (delayMs) => TIMEOUTS_MS.includes(delayMs),
    (delayMs) => waits.push(delayMs),
  );
  const manifest: PrebuiltManifest = {
    libraries: librariesURL ?? `${hub.url}mlc-ai/libraries/resolve/main/`,
    models: { "Qwen3-0.6B": { memoryMB: { q4f16_1: 1403 } } },
  };
  let token: string | undefined;
  const app = await deploymentApp(
    {
      reply: () => ["Hi"],
      async load({ builds, engine: forced }, onProgress, _signal, engine) {
        const name: ChatEngineName = forced ?? (builds.webllm ? "webllm" : "llamacpp");
        const { downloadBytes } =
          name === "webllm"
            ? await placeModelFiles(TEST_GPU, withHubToken(builds.webllm!, token), onProgress, environment)
            : await fetchGguf(TEST_LLAMACPP, withHubToken(builds.llamacpp!, token), onProgress, environment);
        Object.assign(engine.info, { engine: name, downloadBytes });
      },
    },
    undefined,
    { hubURL: hub.url, manifest },
  );
  return {
    ...app,
    hub,
    repository,
    caches,
    environment,
    waits,
    useToken: (next) => {
      token = next;
    },
    async chat(model = HUB_CHAT, file) {
      if (!app.services.catalog.find("hub-model")) {
        const created = await app.page.create({ name: "hub-model", model, ...(file ? { file } : {}) });
        if (!created.ok) throw Object.assign(new Error(created.error.message), created.error);
      }
      const messages = [{ role: "user", content: "Hello" }];
      const response = await app.post("/v1/chat/completions", { model: "hub-model", messages });
      return { status: response.status, error: (await response.json()).error };
    },
    files: () => hub.seen.map(({ path }) => path).filter((path) => !/^\/(api|xet-bridge)\//.test(path)),
    unload: () => app.services.engines.unload("hub-model"),
  };
}

/** The stored shards of the MLC build, in order. */
export async function storedShards({ caches }: HubApp): Promise<Buffer[]> {
  const { entries } = caches.of("webllm/model");
  const shards = [...entries].filter(([key]) => key.endsWith(".bin")).sort();
  return Promise.all(shards.map(async ([, kept]) => Buffer.from(await kept.clone().arrayBuffer())));
}
