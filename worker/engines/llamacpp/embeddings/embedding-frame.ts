import type { GgufValues } from "../../../model-store/gguf/metadata.ts";
import type { LlamaInstance } from "../llama-instance.ts";

/** Tokens that llama.cpp adds to an input. */
export interface Frame {
  before: readonly number[];
  after: readonly number[];
}

/** llama.cpp's default where a WordPiece vocabulary names none. */
const SEPARATOR = 102;

/** WordPiece always has both, whatever `add_bos_token` and `add_eos_token` say. */
export function frameOf(
  metadata: GgufValues,
  {
    addsBos,
    bosToken,
    addsEos,
    eosToken,
  }: Pick<LlamaInstance, "addsBos" | "bosToken" | "addsEos" | "eosToken">,
): Frame {
  if (metadata.get("tokenizer.ggml.model") === "bert") {
    const separator = Number(metadata.get("tokenizer.ggml.seperator_token_id") ?? SEPARATOR);
    return { before: [bosToken], after: [separator] };
  }
  return { before: addsBos ? [bosToken] : [], after: addsEos ? [eosToken] : [] };
}
