import type { SamplingDefaults } from "../../engine-api/chat-engine.ts";
import type { GgufValue, GgufValues } from "../../model-store/gguf/metadata.ts";
import { readSamplingDefaults } from "../chat/read-sampling-defaults.ts";

/** Reads `general.sampling.*` of a GGUF file, as named in llama.cpp's `llama-arch.cpp`. */
export function recommendedSampling(metadata: GgufValues): SamplingDefaults | undefined {
  const value = (name: string): GgufValue | undefined => metadata.get(`general.sampling.${name}`);
  return readSamplingDefaults({
    temperature: value("temp"),
    top_p: value("top_p"),
    top_k: value("top_k"),
    min_p: value("min_p"),
    repetition_penalty: value("penalty_repeat"),
  });
}
