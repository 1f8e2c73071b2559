/** Global functions on tensors. */
import { defineGlobal } from "../ffi/globals";
import { release, TAG_BYTES } from "../ffi/objects";
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { newText, Span } from "../ffi/text";
import { shapeArgument, tensorArgument, textArgument } from "../ffi/arguments";
import { fail, FAILED, OK } from "../ffi/errors";
import { newGpuMatrix, newTensorOfShape, newView, TensorObject } from "../tensor/tensor";
import { FLOAT32, parseElementType } from "../tensor/element-type";
import { copyBytes, copyTensor, decodeBytes } from "../tensor/copy";
import { copyBuffer } from "../tensor/device";

const span = changetype<Span>(memory.data(8, 4));
const formatSpan = changetype<Span>(memory.data(8, 4));

/** (shape, element type, device, scope) */
function allocate(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const shape = shapeArgument(args, 0);
  if (!shape || !textArgument(args, 1, span)) return FAILED;
  const type = parseElementType(span);
  if (!type) return FAILED;
  const made = newTensorOfShape(shape, type, <i32>args.at(2).bits);
  if (!made) return FAILED;
  result.setObject(changetype<usize>(made));
  return OK;
}

/** (tensor, shape, element type, byte offset) */
function view(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const source = changetype<TensorObject>(tensorArgument(args, 0));
  const shape = shapeArgument(args, 1);
  if (!source || !shape || !textArgument(args, 2, span)) return FAILED;
  const type = parseElementType(span);
  if (!type) return FAILED;
  const made = newView(source, shape, type, args.at(3).int);
  if (!made) return FAILED;
  result.setObject(changetype<usize>(made));
  return OK;
}

/** (source, target) */
function copy(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const source = changetype<TensorObject>(tensorArgument(args, 0));
  const target = changetype<TensorObject>(tensorArgument(args, 1));
  return source && target ? copyTensor(source, target) : FAILED;
}

/** (CPU tensor, bytes) */
function copyFromBytes(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const target = changetype<TensorObject>(tensorArgument(args, 0));
  return target && textArgument(args, 1, span) ? copyBytes(span, target) : FAILED;
}

/** (CPU tensor) */
function copyToBytes(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const source = changetype<TensorObject>(tensorArgument(args, 0));
  if (!source) return FAILED;
  if (source.onGpu) return fail("only tensors on the CPU have bytes to read");
  result.setObject(changetype<usize>(newText(TAG_BYTES, source.address, source.bytes)));
  return OK;
}

/** (CPU tensor, bytes, storage format, element type) */
function decodeStorage(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const target = changetype<TensorObject>(tensorArgument(args, 0));
  if (!target || !textArgument(args, 1, span) || !textArgument(args, 2, formatSpan)) return FAILED;
  return decodeBytes(span, formatSpan, target);
}

/** (embeddings [m_i, hidden]...) one below the other; web-llm needs it only between text and images. */
function concatEmbeddings(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  let rows = 0;
  for (let i = 0; i < count; i++) {
    const part = changetype<TensorObject>(tensorArgument(args, i));
    if (!part) return FAILED;
    rows += part.dimension(0);
  }
  const width = changetype<TensorObject>(args.object).dimension(1);
  const made = newGpuMatrix(FLOAT32, rows, width);
  if (!made) return FAILED;
  let offset: usize = 0;
  for (let i = 0; i < count; i++) {
    const part = changetype<TensorObject>(args.at(i).object);
    const status = copyBuffer(part.data, <usize>part.byteOffset, made.data, offset, part.bytes);
    if (status != OK) {
      release(changetype<usize>(made));
      return status;
    }
    offset += part.bytes;
  }
  result.setObject(changetype<usize>(made));
  return OK;
}

export function defineTensorFunctions(): void {
  defineGlobal("runtime.TVMTensorAllocWithScope", 3, allocate);
  defineGlobal("runtime.TVMTensorCreateView", 4, view);
  defineGlobal("runtime.TVMTensorCopyFromTo", 2, copy);
  defineGlobal("tvmjs.runtime.TensorCopyFromBytes", 2, copyFromBytes);
  defineGlobal("tvmjs.runtime.TensorCopyToBytes", 1, copyToBytes);
  defineGlobal("tvmjs.array.decode_storage", 4, decodeStorage);
  defineGlobal("tvmjs.runtime.ConcatEmbeddings", 1, concatEmbeddings);
}
