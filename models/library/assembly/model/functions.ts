/** The functions of the model that web-llm looks up in the "virtual machine" module, by name. */
import { TAG_STRING } from "../ffi/objects";
import { FunctionObject, newNativeFunction } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { newText, Span } from "../ffi/text";
import { OK } from "../ffi/errors";
import { METADATA, METADATA_SIZE } from "../generated";
import { batchDecode, batchPrefill, embed, forward } from "./forward";
import { createKvCache } from "./kv-cache-life";
import { applyBias, applyBitmask, applyPenalty } from "./logit-changes";
import { argsort, sampleTopP, softmax } from "./sampling";

function initialize(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  return OK;
}

function metadata(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  result.setObject(changetype<usize>(newText(TAG_STRING, METADATA, METADATA_SIZE)));
  return OK;
}

/**
 * A new function object bound to its module, or 0: web-llm also asks for functions that a model may lack.
 */
export function findModelFunction(name: Span, module: usize): usize {
  if (name.equalsLiteral("vm_initialization"))
    return newNativeFunction("vm_initialization", 0, initialize, module);
  if (name.equalsLiteral("_metadata")) return newNativeFunction("_metadata", 0, metadata, module);
  if (name.equalsLiteral("create_tir_paged_kv_cache")) {
    return newNativeFunction("create_tir_paged_kv_cache", 5, createKvCache, module);
  }
  if (name.equalsLiteral("embed")) return newNativeFunction("embed", 2, embed, module);
  if (name.equalsLiteral("prefill")) return newNativeFunction("prefill", 3, forward, module);
  if (name.equalsLiteral("decode")) return newNativeFunction("decode", 3, forward, module);
  if (name.equalsLiteral("batch_prefill")) return newNativeFunction("batch_prefill", 4, batchPrefill, module);
  if (name.equalsLiteral("batch_decode")) return newNativeFunction("batch_decode", 3, batchDecode, module);
  if (name.equalsLiteral("softmax_with_temperature")) {
    return newNativeFunction("softmax_with_temperature", 2, softmax, module);
  }
  if (name.equalsLiteral("argsort_probs")) return newNativeFunction("argsort_probs", 1, argsort, module);
  if (name.equalsLiteral("sample_with_top_p"))
    return newNativeFunction("sample_with_top_p", 5, sampleTopP, module);
  if (name.equalsLiteral("apply_bitmask_inplace")) {
    return newNativeFunction("apply_bitmask_inplace", 3, applyBitmask, module);
  }
  if (name.equalsLiteral("apply_logit_bias_inplace")) {
    return newNativeFunction("apply_logit_bias_inplace", 4, applyBias, module);
  }
  if (name.equalsLiteral("apply_penalty_inplace")) {
    return newNativeFunction("apply_penalty_inplace", 6, applyPenalty, module);
  }
  return 0;
}
