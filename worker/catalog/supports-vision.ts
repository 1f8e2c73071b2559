import type { CatalogRecord } from "./model-record.ts";

/** Whether a model takes images, as far as is known before it is loaded. */
export function supportsVision(model: CatalogRecord): boolean {
  if (model.kind !== "chat" || !model.builds.llamacpp?.projector) return false;
  return !model.builds.webllm || model.engine === "llamacpp";
}
