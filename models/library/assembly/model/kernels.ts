/**
 * What web-llm asks for to compile the kernels: their descriptions, their source, and a place for the
 * result.
 */
import { TAG_FUNCTION, TAG_STRING } from "../ffi/objects";
import { FunctionObject, newNativeFunction } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { newText, Span } from "../ffi/text";
import { objectArgument, textArgument } from "../ffi/arguments";
import { fail, FAILED, OK, sayBytes } from "../ffi/errors";
import {
  KERNEL_COUNT,
  KERNEL_DESCRIPTIONS,
  KERNEL_DESCRIPTIONS_SIZE,
  kernelName,
  kernelSource,
  kernelSourceSize,
} from "../generated";
import { setSubmitter } from "./launch";

const span = changetype<Span>(memory.data(8, 4));

/** The index of the kernel named in argument 0; -1 after an error. */
function kernelArgument(args: Cell): i32 {
  if (!textArgument(args, 0, span)) return FAILED;
  for (let i = 0; i < KERNEL_COUNT; i++) if (span.equalsLiteral(kernelName(i))) return i;
  fail("no kernel is named ");
  return sayBytes(span.data, span.size);
}

/** (): JSON with the arguments and launch parameters of every kernel */
function getDescriptions(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  result.setObject(changetype<usize>(newText(TAG_STRING, KERNEL_DESCRIPTIONS, KERNEL_DESCRIPTIONS_SIZE)));
  return OK;
}

/** (name): WGSL */
function getShader(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const index = kernelArgument(args);
  if (index < 0) return FAILED;
  result.setObject(changetype<usize>(newText(TAG_STRING, kernelSource(index), kernelSourceSize(index))));
  return OK;
}

/** (name, function that records a launch) */
function updatePrebuild(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const index = kernelArgument(args);
  const submitter = objectArgument(args, 1, TAG_FUNCTION, "function");
  if (index < 0 || !submitter) return FAILED;
  setSubmitter(index, submitter);
  return OK;
}

/** A new function object, or 0 if the name is not one of these. */
export function findShaderFunction(name: Span, module: usize): usize {
  if (name.equalsLiteral("webgpu.get_fmap"))
    return newNativeFunction("webgpu.get_fmap", 0, getDescriptions, module);
  if (name.equalsLiteral("webgpu.get_shader"))
    return newNativeFunction("webgpu.get_shader", 1, getShader, module);
  if (name.equalsLiteral("webgpu.update_prebuild")) {
    return newNativeFunction("webgpu.update_prebuild", 2, updatePrebuild, module);
  }
  return 0;
}
