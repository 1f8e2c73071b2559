/**
 * Tensors on the CPU (linear memory) and on the GPU (numbered buffers), in the DLTensor layout that web-llm
 * reads.
 */
import { allocateObject, ObjectHeader, onDestroy, release, retain, TAG_TENSOR } from "../ffi/objects";
import { ShapeObject } from "../ffi/containers";
import { fail } from "../ffi/errors";
import { acquireBuffer, releaseBuffer } from "./buffer-pool";
import { ElementType } from "./element-type";

const DEVICE_GPU: i32 = 15;

@unmanaged
export class TensorObject extends ObjectHeader {
  /** CPU: address. GPU: buffer number. Views share it with their owner. */
  data: usize;
  device: i32;
  deviceId: i32;
  rank: i32;
  code: u8;
  bits: u8;
  lanes: u16;
  /** Address of `rank` 64-bit dimensions. */
  shape: usize;
  strides: usize;
  byteOffset: u64;
  /** The tensor whose storage this is a view of; 0 when the storage is its own. */
  owner: usize;
  /** Bytes asked for, to give them back. */
  allocated: usize;

  @inline
  dimension(index: i32): i32 {
    return <i32>load<i64>(this.shape + ((<usize>index) << 3));
  }

  setDimension(index: i32, value: i32): void {
    store<i64>(this.shape + ((<usize>index) << 3), value);
  }

  get elements(): usize {
    let count: usize = 1;
    for (let i = 0; i < this.rank; i++) count *= <usize>this.dimension(i);
    return count;
  }

  get bytes(): usize {
    return (this.elements * this.bits * this.lanes + 7) >> 3;
  }

  @inline
  get onGpu(): bool {
    return this.device == DEVICE_GPU;
  }

  /** CPU only: where the first element is. */
  get address(): usize {
    return this.data + <usize>this.byteOffset;
  }

  /** Where the first element is in its buffer, counted in 32-bit words, as kernels take it. */
  get wordOffset(): u32 {
    return <u32>(this.byteOffset >> 2);
  }
}

function newTensor(rank: i32, type: ElementType, device: i32): TensorObject {
  const bytes = offsetof<TensorObject>() + ((<usize>rank) << 3);
  const tensor = changetype<TensorObject>(allocateObject(TAG_TENSOR, bytes));
  tensor.device = device;
  tensor.rank = rank;
  tensor.code = type.code;
  tensor.bits = type.bits;
  tensor.lanes = 1;
  tensor.shape = changetype<usize>(tensor) + offsetof<TensorObject>();
  return tensor;
}

/** Gives a tensor whose dimensions are set its storage; null, with an error, when there is no memory. */
function withStorage(tensor: TensorObject): TensorObject | null {
  const bytes = tensor.bytes;
  tensor.allocated = bytes;
  tensor.data = tensor.onGpu ? acquireBuffer(bytes) : heap.alloc(max<usize>(bytes, 1));
  if (tensor.data) return tensor;
  release(changetype<usize>(tensor));
  fail("no memory for a tensor");
  return null;
}

export function newTensorOfShape(shape: ShapeObject, type: ElementType, device: i32): TensorObject | null {
  const tensor = newTensor(shape.length, type, device);
  for (let i = 0; i < shape.length; i++) tensor.setDimension(i, shape.at(i));
  return withStorage(tensor);
}

/** A vector, matrix or block of matrices on the GPU: results of kernels. */
export function newGpuVector(type: ElementType, length: i32): TensorObject | null {
  const tensor = newTensor(1, type, DEVICE_GPU);
  tensor.setDimension(0, length);
  return withStorage(tensor);
}

export function newGpuMatrix(type: ElementType, rows: i32, columns: i32): TensorObject | null {
  const tensor = newTensor(2, type, DEVICE_GPU);
  tensor.setDimension(0, rows);
  tensor.setDimension(1, columns);
  return withStorage(tensor);
}

export function newGpuBlock(type: ElementType, blocks: i32, rows: i32, columns: i32): TensorObject | null {
  const tensor = newTensor(3, type, DEVICE_GPU);
  tensor.setDimension(0, blocks);
  tensor.setDimension(1, rows);
  tensor.setDimension(2, columns);
  return withStorage(tensor);
}

/** A view of part of a tensor; it keeps the storage alive. */
export function newView(
  source: TensorObject,
  shape: ShapeObject,
  type: ElementType,
  byteOffset: usize,
): TensorObject | null {
  const view = newTensor(shape.length, type, source.device);
  for (let i = 0; i < shape.length; i++) view.setDimension(i, shape.at(i));
  if (byteOffset + view.bytes > source.bytes) {
    release(changetype<usize>(view));
    fail("a view must lie within its tensor");
    return null;
  }
  view.owner = retain(source.owner ? source.owner : changetype<usize>(source));
  view.data = source.data;
  view.byteOffset = source.byteOffset + byteOffset;
  return view;
}

onDestroy(TAG_TENSOR, (object: usize): void => {
  const tensor = changetype<TensorObject>(object);
  if (tensor.owner) release(tensor.owner);
  else if (!tensor.data) return;
  else if (tensor.onGpu) releaseBuffer(tensor.data, tensor.allocated);
  else heap.free(tensor.data);
});
