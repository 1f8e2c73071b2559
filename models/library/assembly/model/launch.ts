/**
 * Launching a kernel: its arguments are collected in cells and sent in one call of the JavaScript function
 * that web-llm built for it. Use the typed `launch…` functions of `generated.ts`, which the build derives
 * from the WGSL declarations.
 */
import { release, retain, TAG_STRING } from "../ffi/objects";
import { Cell } from "../ffi/values";
import { newText } from "../ffi/text";
import { callFunction, popCells, pushCells } from "../ffi/functions";
import { findGlobalByLiteral } from "../ffi/globals";
import { fail, FAILED, OK, say } from "../ffi/errors";
import { kernelDescription, kernelDescriptionSize, kernelSource, kernelSourceSize } from "../generated";

const MAX_KERNELS: i32 = 32;
const MAX_ARGUMENTS: i32 = 16;
const submitters: usize = memory.data(32 * 4, 4);

/** Number of launches so far. */
export let launches: i32 = 0;

let cells: Cell = changetype<Cell>(0);
let used: i32 = 0;

/** Installs the function that records a launch of kernel `index`. */
export function setSubmitter(index: i32, submitter: usize): void {
  assert(index < MAX_KERNELS);
  const slot = submitters + (<usize>index << 2);
  const previous = load<usize>(slot);
  store<usize>(slot, retain(submitter));
  release(previous);
}

/** Starts a list of arguments: buffers and scalars in the order of their declaration. */
export function beginLaunch(): void {
  cells = pushCells(MAX_ARGUMENTS + 1);
  used = 0;
}

export function pushArgument(value: u32): void {
  assert(used < MAX_ARGUMENTS);
  cells.at(used++).setInt(value);
}

/** Records the launch of `gridX` by `gridY` workgroups. */
export function endLaunch(index: i32, name: string, gridX: i32, gridY: i32): i32 {
  pushArgument(gridX);
  pushArgument(gridY);
  const submitter = load<usize>(submitters + (<usize>index << 2));
  let status: i32 = FAILED;
  if (submitter || compile(index) == OK) {
    const result = cells.at(MAX_ARGUMENTS);
    result.setNone();
    status = callFunction(load<usize>(submitters + (<usize>index << 2)), cells, used, result);
  } else if (!kernelDescriptionSize(index)) {
    fail("kernel ");
    say(name);
    say(" was launched before web-llm has compiled it");
  }
  launches++;
  popCells(MAX_ARGUMENTS + 1);
  return status;
}

/** Has web-llm compile a kernel that it was not told of at load. */
function compile(index: i32): i32 {
  const size = kernelDescriptionSize(index);
  if (!size) return FAILED;
  const compiler = findGlobalByLiteral("wasm.WebGPUCreateShader");
  if (!compiler) return fail("the WebGPU device is not initialized");
  const description = changetype<usize>(newText(TAG_STRING, kernelDescription(index), size));
  const source = changetype<usize>(newText(TAG_STRING, kernelSource(index), kernelSourceSize(index)));
  const call = pushCells(3);
  call.setObject(description);
  call.at(1).setObject(source);
  const result = call.at(2);
  result.setNone();
  const status = callFunction(compiler, call, 2, result);
  if (status == OK) {
    setSubmitter(index, result.object);
    release(result.object);
  }
  popCells(3);
  release(source);
  release(description);
  return status;
}

/** Workgroups needed for a number of invocations. */
@inline
export function groupsFor(invocations: i32, workgroupSize: i32): i32 {
  return (invocations + workgroupSize - 1) / workgroupSize;
}
