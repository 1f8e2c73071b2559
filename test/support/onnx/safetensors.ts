/** A file in the format of safetensors, of 32-bit numbers. */
export function safetensors(
  tensors: Record<string, { shape: number[]; numbers: readonly number[] }>,
): Buffer {
  let at = 0;
  const entries = Object.entries(tensors).map(([name, { shape, numbers }]) => {
    const begin = at;
    at += numbers.length * 4;
    return [name, { dtype: "F32", shape, data_offsets: [begin, at] }];
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const data = Object.values(tensors).map(({ numbers }) => Buffer.from(Float32Array.from(numbers).buffer));
  return Buffer.concat([length, header, ...data]);
}
