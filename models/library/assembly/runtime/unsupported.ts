/** Functions that web-llm insists on finding when it starts, but never calls for a chat model. */
import { defineGlobal } from "../ffi/globals";
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { fail } from "../ffi/errors";

function unsupported(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  return fail("this function is not part of a chat model's library");
}

export function defineUnsupported(): void {
  defineGlobal("ffi.FunctionListGlobalNamesFunctor", 0, unsupported);
  defineGlobal("ffi.ModuleImportModule", 0, unsupported);
  defineGlobal("vm.builtin.param_module_from_cache", 0, unsupported);
  defineGlobal("vm.builtin.sample_top_p_from_logits", 0, unsupported);
  defineGlobal("vm.builtin.sample_top_p_from_prob", 0, unsupported);
  defineGlobal("vm.builtin.apply_repetition_penalty", 0, unsupported);
  defineGlobal("vm.builtin.apply_presence_and_frequency_penalty", 0, unsupported);
  defineGlobal("vm.builtin.apply_softmax_with_temperature", 0, unsupported);
}
