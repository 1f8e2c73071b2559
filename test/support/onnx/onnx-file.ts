/** Writes ONNX files: the wire format of protobuf by hand, with the field numbers of onnx.proto3. */

const OPSET = 17;
const IR_VERSION = 8;
/** Values of `TensorProto.DataType`. */
const TYPES = { float: 1, uint8: 2, int8: 3, int64: 7 } as const;
type ElementType = keyof typeof TYPES;

/** Values of an attribute; a whole number is an integer. */
type Attribute = number | readonly number[];

function varint(value: bigint | number): number[] {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

const integer = (field: number, value: bigint | number): Buffer =>
  Buffer.from([...varint(field << 3), ...varint(value)]);

function bytes(field: number, ...parts: readonly (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)));
  return Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(content.length)]), content]);
}

function attribute(name: string, value: Attribute): Buffer {
  if (typeof value !== "number")
    return bytes(5, bytes(1, name), ...value.map((one) => integer(8, one)), integer(20, 7));
  return bytes(5, bytes(1, name), integer(3, value), integer(20, 2));
}

/** Collects the nodes and constants of one network. */
export class OnnxGraph {
  readonly #nodes: Buffer[] = [];
  readonly #constants: Buffer[] = [];
  readonly #ends: Buffer[] = [];

  input(name: string, type: ElementType, dims: readonly (number | string)[]): string {
    this.#ends.push(valueInfo(11, name, type, dims));
    return name;
  }

  output(name: string, type: ElementType, dims: readonly (number | string)[]): void {
    this.#ends.push(valueInfo(12, name, type, dims));
  }

  constant(name: string, type: ElementType, dims: readonly number[], values: readonly number[]): string {
    const sizes = dims.map((size) => integer(1, size));
    this.#constants.push(
      bytes(5, ...sizes, integer(2, TYPES[type]), bytes(8, name), bytes(9, raw(type, values))),
    );
    return name;
  }

  /** One node. @returns the name of its output, or of its first with the endings `:1`, `:2` for further ones */
  add(
    operator: string,
    inputs: readonly string[],
    attributes: Record<string, Attribute> = {},
    outputs = 1,
  ): string {
    const name = `${operator}_${this.#nodes.length}`;
    const names = Array.from({ length: outputs }, (_, at) => bytes(2, at === 0 ? name : `${name}:${at}`));
    const more = Object.entries(attributes).map(([key, value]) => attribute(key, value));
    const read = inputs.map((one) => bytes(1, one));
    this.#nodes.push(bytes(1, ...read, ...names, bytes(3, name), bytes(4, operator), ...more));
    return name;
  }

  /** Gives an output of the network its name. */
  name(value: string, name: string): void {
    this.#nodes.push(bytes(1, bytes(1, value), bytes(2, name), bytes(3, name), bytes(4, "Identity")));
  }

  file(): Buffer {
    const graph = bytes(7, ...this.#nodes, bytes(2, "test"), ...this.#constants, ...this.#ends);
    return Buffer.concat([integer(1, IR_VERSION), graph, bytes(8, bytes(1, ""), integer(2, OPSET))]);
  }
}

function valueInfo(
  field: number,
  name: string,
  type: ElementType,
  dims: readonly (number | string)[],
): Buffer {
  const sizes = dims.map((size) => bytes(1, typeof size === "string" ? bytes(2, size) : integer(1, size)));
  const tensor = bytes(1, integer(1, TYPES[type]), bytes(2, ...sizes));
  return bytes(field, bytes(1, name), bytes(2, tensor));
}

function raw(type: ElementType, values: readonly number[]): Uint8Array {
  const typed = {
    float: () => Float32Array.from(values),
    uint8: () => Uint8Array.from(values),
    int8: () => Int8Array.from(values),
    int64: () => BigInt64Array.from(values, BigInt),
  }[type]();
  return new Uint8Array(typed.buffer);
}
