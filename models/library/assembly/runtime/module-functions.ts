/**
 * Modules: named collections of functions. There are three: the system library, the "virtual machine" (the
 * model's functions, `model/functions.ts`), and the parameters, whose only function hands out the weights.
 */
import { defineGlobal } from "../ffi/globals";
import { allocateObject, ObjectHeader, onDestroy, release, retain, TAG_MODULE } from "../ffi/objects";
import { FunctionObject, newNativeFunction } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { newArray } from "../ffi/containers";
import { Span } from "../ffi/text";
import { arrayArgument, objectArgument, textArgument } from "../ffi/arguments";
import { fail, FAILED, OK, say, sayBytes } from "../ffi/errors";
import { findModelFunction } from "../model/functions";
import { findShaderFunction } from "../model/kernels";
import { findCachedTensor } from "./tensor-cache";

const KIND_SYSTEM: i32 = 1;
const KIND_MACHINE: i32 = 2;
const KIND_PARAMETERS: i32 = 3;

@unmanaged
class ModuleObject extends ObjectHeader {
  kind: i32;
  /** Parameters only: the array of tensors. */
  parameters: usize;
}

const span = changetype<Span>(memory.data(8, 4));

function newModule(kind: i32, parameters: usize): usize {
  const module = changetype<ModuleObject>(allocateObject(TAG_MODULE, offsetof<ModuleObject>()));
  module.kind = kind;
  module.parameters = parameters;
  return changetype<usize>(module);
}

onDestroy(TAG_MODULE, (object: usize): void => {
  release(changetype<ModuleObject>(object).parameters);
});

function systemLibrary(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  result.setObject(newModule(KIND_SYSTEM, 0));
  return OK;
}

function loadExecutable(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  result.setObject(newModule(KIND_MACHINE, 0));
  return OK;
}

function getParameters(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  result.setObject(retain(changetype<ModuleObject>(self.bound).parameters));
  return OK;
}

/** (module, name, search imports): the function, or None. The function keeps its module alive. */
function moduleFunction(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const object = objectArgument(args, 0, TAG_MODULE, "module");
  if (!object || !textArgument(args, 1, span)) return FAILED;
  const kind = changetype<ModuleObject>(object).kind;
  let found: usize = 0;
  if (kind == KIND_SYSTEM && span.equalsLiteral("vm_load_executable")) {
    found = newNativeFunction("vm_load_executable", 0, loadExecutable, object);
  } else if (kind == KIND_PARAMETERS && span.equalsLiteral("get_params")) {
    found = newNativeFunction("get_params", 0, getParameters, object);
  } else if (kind == KIND_MACHINE) {
    found = findModelFunction(span, object);
  }
  if (!found && kind != KIND_PARAMETERS) found = findShaderFunction(span, object);
  if (found) result.setObject(found);
  return OK;
}

/** (array of names): a module with the tensors of these names, in this order, from the tensor cache. */
function parametersByName(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const names = arrayArgument(args, 0);
  if (!names) return FAILED;
  const tensors = newArray(names.length);
  for (let i = 0; i < names.length; i++) {
    const tensor = names.cell(i).readText(span) ? findCachedTensor(span) : 0;
    if (!tensor) {
      release(changetype<usize>(tensors));
      fail("the weights have no tensor named ");
      sayBytes(span.data, span.size);
      return say("; do the weights belong to this library?");
    }
    tensors.cell(i).setObject(retain(tensor));
  }
  result.setObject(newModule(KIND_PARAMETERS, changetype<usize>(tensors)));
  return OK;
}

export function defineModuleFunctions(): void {
  defineGlobal("ffi.SystemLib", 0, systemLibrary);
  defineGlobal("ffi.ModuleGetFunction", 2, moduleFunction);
  defineGlobal("vm.builtin.param_module_from_cache_by_name", 1, parametersByName);
}
