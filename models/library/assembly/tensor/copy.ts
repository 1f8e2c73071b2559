/** Copies between tensors of equal size on any devices, and decoding of stored weights. */
import { fail, OK, say, sayBytes, sayNumber } from "../ffi/errors";
import { Span } from "../ffi/text";
import { copyBuffer, readBuffer, writeBuffer } from "./device";
import { TensorObject } from "./tensor";

export function copyTensor(source: TensorObject, target: TensorObject): i32 {
  const bytes = source.bytes;
  if (bytes != target.bytes) return failSizes("the tensors", bytes, target.bytes);
  if (source.onGpu && target.onGpu) {
    return copyBuffer(source.data, <usize>source.byteOffset, target.data, <usize>target.byteOffset, bytes);
  }
  if (source.onGpu) return readBuffer(source.data, <usize>source.byteOffset, target.address, bytes);
  if (target.onGpu) return writeBuffer(source.address, target.data, <usize>target.byteOffset, bytes);
  memory.copy(target.address, source.address, bytes);
  return OK;
}

/** Plain bytes into a CPU tensor of exactly that size. */
export function copyBytes(bytes: Span, target: TensorObject): i32 {
  if (target.onGpu) return fail("only tensors on the CPU can be filled from bytes");
  if (bytes.size != target.bytes) return failSizes("the bytes and the tensor", bytes.size, target.bytes);
  memory.copy(target.address, bytes.data, bytes.size);
  return OK;
}

/** Stored weights into a CPU tensor: "raw" as they are, "f32-to-bf16" widened from their upper halves. */
export function decodeBytes(bytes: Span, format: Span, target: TensorObject): i32 {
  if (!format.equalsLiteral("f32-to-bf16")) {
    if (!format.equalsLiteral("raw")) {
      fail("unknown storage format ");
      return sayBytes(format.data, format.size);
    }
    return copyBytes(bytes, target);
  }
  if (target.onGpu) return fail("only tensors on the CPU can be decoded into");
  if (bytes.size * 2 != target.bytes)
    return failSizes("the widened bytes and the tensor", bytes.size * 2, target.bytes);
  const halves = bytes.size >> 1;
  for (let i: usize = 0; i < halves; i++) {
    store<u32>(target.address + (i << 2), (<u32>load<u16>(bytes.data + (i << 1))) << 16);
  }
  return OK;
}

function failSizes(what: string, have: usize, want: usize): i32 {
  fail(what);
  say(" differ in size: ");
  sayNumber(<i32>have);
  say(" and ");
  sayNumber(<i32>want);
  return say(" bytes");
}
