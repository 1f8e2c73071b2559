import type { ServerOptions } from "../../../src/protocol/options/server-options.ts";
import type { UpstreamOptions } from "../../../src/protocol/options/upstream.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { CatalogRecord } from "../../catalog/model-record.ts";
import type { DeviceChoice } from "../../engine-api/gpu.ts";
import { findAdapter } from "../../engine-api/gpu-adapter.ts";
import { chooseEngine, gpuFaultOf } from "../../engines/chat/choose-engine.ts";
import { llamaCppFault } from "../../engines/chat/llamacpp-device.ts";
import { Upstream } from "./upstream.ts";

/** The upstream of a server in a browser. @param created the current time in Unix seconds */
export function openUpstream(
  upstream: UpstreamOptions,
  { llamacpp }: Pick<ServerOptions, "llamacpp">,
  catalog: Catalog,
  created: number,
): Upstream {
  return new Upstream(upstream, {
    fetch: (...call) => fetch(...call),
    canRun: async (record) => canRun(await catalog.complete(record), llamacpp?.device),
    created,
  });
}

/** Embeddings run on every device; for chat, `chooseEngine` decides, and whether the options demand WebGPU. */
async function canRun(model: CatalogRecord, device: DeviceChoice | undefined): Promise<boolean> {
  if (model.kind === "embedding") return true;
  const found = await findAdapter();
  try {
    const engine = chooseEngine(model, { gpuFault: gpuFaultOf(model, found), losses: 0 });
    return engine === "webllm" || device !== "webgpu" || !llamaCppFault(found, device);
  } catch {
    return false;
  }
}
