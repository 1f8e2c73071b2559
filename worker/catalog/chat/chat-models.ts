/** Chat models under names of this package, from web-llm's list. */

import type { ChatBuilds } from "../../engine-api/model-files.ts";
import { hubFolder } from "../hub/hub-folder.ts";
import type { ChatModelRecord, WithoutF16 } from "../model-record.ts";
import { CHAT_MODELS, type ChatModelRow } from "./chat-model-rows.ts";
import { type PrebuiltManifest, prebuiltRecord } from "./prebuilt.ts";

/** @param hubURL base URL of the weights, with a trailing slash */
export function catalogueChatModels(hubURL: string, manifest: PrebuiltManifest): ChatModelRecord[] {
  return Object.entries(CHAT_MODELS).map(([name, row]) => toRecord(`infetch-${name}`, row, hubURL, manifest));
}

function toRecord(
  id: string,
  row: ChatModelRow,
  hubURL: string,
  manifest: PrebuiltManifest,
): ChatModelRecord {
  const { mlc, gguf, licence, tools = false, reasoning, sampling } = row;
  const quantized = (quantization: string): ChatModelRecord | undefined =>
    prebuiltRecord(`mlc-ai/${mlc}-${quantization}-MLC`, hubURL, manifest);
  const record = quantized("q4f16_1") ?? quantized("q0f16");
  if (!record) throw new Error(`web-llm has no library for ${mlc}.`);
  return {
    ...record,
    id,
    builds: { ...record.builds, ...(gguf ? ggufBuild(gguf, hubURL) : {}) },
    ...withoutF16(record.baseModel!, hubURL, manifest),
    abilities: { tools, reasoning: reasoning !== undefined },
    ...(licence ? { licence } : {}),
    ...(typeof reasoning === "object" ? { reasoning } : {}),
    ...(sampling ? { recommendedSampling: sampling } : {}),
  };
}

/** The same model with 32-bit kernels, if web-llm lists it. */
function withoutF16(
  hubName: string,
  hubURL: string,
  manifest: PrebuiltManifest,
): { withoutF16?: WithoutF16 } {
  const name = hubName.replace("f16", "f32");
  const record = prebuiltRecord(name, hubURL, manifest);
  if (!record?.builds.webllm || !record.memoryBytes) return {};
  // Settings such as the context are those of the first choice, with a deployment's changes.
  const { overrides: _, ...files } = record.builds.webllm;
  return { withoutF16: { hubName: name, memoryBytes: record.memoryBytes, files } };
}

function ggufBuild(path: string, hubURL: string): Pick<ChatBuilds, "llamacpp"> {
  const at = path.lastIndexOf("/");
  const parts = [{ name: path.slice(at + 1), bytes: 0 }];
  return { llamacpp: { ...hubFolder(hubURL, path.slice(0, at)), parts } };
}
