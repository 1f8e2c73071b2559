import type { UpstreamOptions } from "../../../src/protocol/upstream.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { CatalogRecord } from "../../catalog/model-record.ts";
import { hasWebGPU } from "../../engines/gpu.ts";
import { Upstream } from "./upstream.ts";

/** The upstream of a server in a browser. @param created Unix seconds: now */
export function openUpstream(options: UpstreamOptions, catalog: Catalog, created: number): Upstream {
  return new Upstream(options, {
    fetch: (...call) => fetch(...call),
    canRun: async (record) => canRun(await catalog.complete(record)),
    created,
  });
}

/** Without WebGPU what has a build for llama.cpp still runs; embeddings run everywhere. */
async function canRun(model: CatalogRecord): Promise<boolean> {
  if (model.kind === "embedding" || model.builds.llamacpp) return true;
  return model.builds.webllm !== undefined && hasWebGPU(model.builds.webllm.features);
}
