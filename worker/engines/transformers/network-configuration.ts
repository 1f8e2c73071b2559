/** The fields of a network's `config.json` that are used here. */

import { countOf } from "./counts.ts";

export interface NetworkConfiguration {
  architectures?: readonly string[];
  model_type?: string;
  is_encoder_decoder?: boolean;
  vocab_size?: number;
  hidden_size?: number;
  /** Names of the hidden size in other families. */
  n_embd?: number;
  d_model?: number;
  dim?: number;
  max_position_embeddings?: number;
  pad_token_id?: number | null;
  /** Lengths to which vectors may be cut (as in vLLM). */
  matryoshka_dimensions?: readonly number[];
  /** Adapters of jina-embeddings-v3, and the prefixes of their texts. */
  lora_adaptations?: unknown;
  task_instructions?: unknown;
}

/** Positions of these networks begin after that of the padding token. */
const AFTER_PADDING = new Set([
  "roberta",
  "xlm-roberta",
  "xlm-roberta-xl",
  "camembert",
  "mpnet",
  "longformer",
]);

/** Number of tokens that have a position; undefined if the file does not say it. */
export function positionsOf({
  model_type: type = "",
  max_position_embeddings,
  pad_token_id: padding,
}: NetworkConfiguration): number | undefined {
  const positions = countOf(max_position_embeddings);
  if (positions === undefined || !AFTER_PADDING.has(type)) return positions;
  return countOf(positions - (typeof padding === "number" ? padding : 1) - 1);
}

/** Numbers of a token's vector in the network; 0 if the file does not say it. */
export function widthOf({ hidden_size, n_embd, d_model, dim }: NetworkConfiguration): number {
  return countOf(hidden_size) ?? countOf(n_embd) ?? countOf(d_model) ?? countOf(dim) ?? 0;
}

/** Whether only the encoder is run, of a network whose type has a decoder, too (T5). */
export function isEncoderOnly({ architectures, is_encoder_decoder }: NetworkConfiguration): boolean {
  return is_encoder_decoder === true || /EncoderModel$/.test(String(architectures?.[0]).slice(-40));
}
