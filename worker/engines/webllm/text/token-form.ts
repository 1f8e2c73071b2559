import type { TokenForm } from "../../chat/token-bytes.ts";

/** How the vocabulary of an MLC build encodes bytes. Older builds have the field at the top of their configuration. */
export function tokenFormOf(config: {
  tokenizer_info?: unknown;
  token_table_postproc_method?: unknown;
}): TokenForm {
  const info = config.tokenizer_info as { token_postproc_method?: unknown } | undefined;
  const form = info ? info.token_postproc_method : config.token_table_postproc_method;
  return form === "byte_level" || form === "byte_fallback" ? form : "raw";
}
