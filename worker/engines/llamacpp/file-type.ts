import type { GgufValues } from "../../model-store/gguf/metadata.ts";

/** Values of `general.file_type` (`llama_ftype` in llama.h), by the names that publishers give to files. */
const FILE_TYPES: Readonly<Record<number, string>> = {
  0: "f32",
  1: "f16",
  2: "q4_0",
  3: "q4_1",
  7: "q8_0",
  8: "q5_0",
  9: "q5_1",
  10: "q2_k",
  11: "q3_k_s",
  12: "q3_k_m",
  13: "q3_k_l",
  14: "q4_k_s",
  15: "q4_k_m",
  16: "q5_k_s",
  17: "q5_k_m",
  18: "q6_k",
  25: "iq4_nl",
  30: "iq4_xs",
  32: "bf16",
};

/** The form of most of the weights; `gguf` for one that is not listed. */
export function fileTypeOf(metadata: GgufValues): string {
  return FILE_TYPES[Number(metadata.get("general.file_type") ?? -1)] ?? "gguf";
}
