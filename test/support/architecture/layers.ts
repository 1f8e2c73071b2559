/** The import direction between layers (`docs/architecture.md`, "Layers"). */

import type { ImportGraph } from "./graph.ts";

const PROTOCOL = "src/protocol/";
/** Small helpers of both ends. */
const SHARED = "src/shared/";

/** The layers of `worker/`, top first: each imports only from lower layers, the protocol and the shared helpers. */
export const LAYERS = [
  "worker/server/",
  "worker/rpc/",
  "worker/endpoints/",
  "worker/generation/",
  "worker/prompt/",
  "worker/tools/",
  "worker/json-schema/",
  "worker/batch/",
  "worker/http/",
  "worker/engines/transformers/",
  "worker/engines/webllm/",
  "worker/engines/llamacpp/",
  "worker/engines/embeddings/",
  "worker/engines/chat/",
  "worker/engines/scheduling/",
  "worker/engines/memory/",
  "worker/model-store/",
  "worker/catalog/",
  "worker/engine-api/",
  "worker/reply/",
  "worker/chat-template/",
  "worker/usage/metering/",
  "worker/usage/keys/",
  "worker/usage/billing/",
  "worker/usage/ledger/",
  "worker/lazy/",
  "worker/storage/",
  "worker/clock.ts",
];

/** Rules outside of `worker/`. Benchmarks may import everything, because they measure parts in isolation. */
const PARTS: [importer: string, allowed: string[]][] = [
  ["demo/", ["demo/", "src/index.ts"]],
  [SHARED, [SHARED]],
  [PROTOCOL, [PROTOCOL, SHARED]],
  ["src/", ["src/"]],
  ["models/", ["models/"]],
  ["site/", ["site/"]],
  ["scripts/", ["scripts/", "site/", "models/", "src/", "worker/", "vite.config.ts"]],
];

/** The layer of a file; undefined outside of `worker/`. */
function layerOf(file: string): string | undefined {
  return LAYERS.find((layer) => file.startsWith(layer));
}

/** Every import that violates the direction, and every file of `worker/` outside of all layers. */
export function arrowsAgainst(graph: ImportGraph): string[] {
  return [...graph].flatMap(([file, targets]) => {
    const allowed = allowedFor(file);
    if (!allowed) return file.startsWith("worker/") ? [`${file} has no place in the layers`] : [];
    return [...targets]
      .filter((target) => !allowed.some((start) => target.startsWith(start)))
      .map((target) => `${file} → ${target}`);
  });
}

function allowedFor(file: string): string[] | undefined {
  const layer = layerOf(file);
  if (layer) return [...LAYERS.slice(LAYERS.indexOf(layer)), PROTOCOL, SHARED];
  return PARTS.find(([importer]) => file.startsWith(importer))?.[1];
}
