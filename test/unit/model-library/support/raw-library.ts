/**
 * A compiled library without web-llm and without a GPU: calls its functions through TVM's C interface and records
 * which kernels it launches and which it has compiled.
 */

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  TVMWasmAllocSpace(bytes: number): number;
  TVMFFIWasmGetLastError(): number;
  TVMFFIFunctionGetGlobal(name: number, out: number): number;
  TVMFFIFunctionSetGlobal(name: number, handle: number, replace: number): number;
  TVMFFIFunctionCall(handle: number, args: number, count: number, result: number): number;
  TVMFFIWasmFunctionCreate(slot: number, out: number): number;
}
type Callback = (...args: unknown[]) => unknown;
/** An object of the library. */
export interface Handle {
  tag: number;
  address: number;
}

const GPU = { tag: 6, address: 15 };
const CELL = 16;

export class RawLibrary {
  /** Names of launched kernels, in order. */
  launches: string[] = [];
  /** Kernels that the library had compiled itself. */
  readonly compiled: { name: string; source: string }[] = [];
  readonly #exports: Exports;
  readonly #callbacks: Callback[] = [];
  readonly #machine: Handle;
  #buffers = 0;

  constructor(module: WebAssembly.Module) {
    const env = {
      TVMFFIWasmSafeCall: (slot: number, args: number, count: number, result: number) => {
        const made = this.#callbacks[slot]!(
          ...Array.from({ length: count }, (_, i) => this.#read(args + i * CELL)),
        );
        this.#write(result, typeof made === "function" ? this.#wrap(made as Callback) : made);
        return 0;
      },
      TVMFFIWasmFunctionDeleter: () => {},
    };
    this.#exports = new WebAssembly.Instance(module, { env }).exports as unknown as Exports;
    this.#exports._initialize();
    this.#define(
      "wasm.WebGPUDeviceAPI",
      (name) => () => (name === "deviceAllocDataSpace" ? ++this.#buffers : null),
    );
    this.#define("wasm.WebGPUCreateShader", (info, source) => {
      const { name } = JSON.parse(info as string) as { name: string };
      this.compiled.push({ name, source: source as string });
      return () => void this.launches.push(name);
    });
    const load = this.call("ffi.ModuleGetFunction", this.call("ffi.SystemLib"), "vm_load_executable", 0);
    this.#machine = this.#invoke(load as Handle, []) as Handle;
    const kernels = JSON.parse(this.model("webgpu.get_fmap") as string) as Record<string, unknown>;
    for (const name of Object.keys(kernels))
      this.model(
        "webgpu.update_prebuild",
        name,
        this.#wrap(() => void this.launches.push(name)),
      );
  }

  /** Calls a global function; strings, whole numbers and handles cross. */
  call(name: string, ...args: unknown[]): unknown {
    const out = this.#allocate(4);
    this.#exports.TVMFFIFunctionGetGlobal(this.#bytes(name), out);
    return this.#invoke({ tag: 68, address: this.#view.getUint32(out, true) }, args);
  }

  /** Calls a function of the model. */
  model(name: string, ...args: unknown[]): unknown {
    return this.#invoke(this.call("ffi.ModuleGetFunction", this.#machine, name, 0) as Handle, args);
  }

  shape = (...sizes: number[]): Handle => this.call("ffi.Shape", ...sizes) as Handle;

  tensor(type: "float32" | "int32", ...sizes: number[]): Handle {
    return this.call("runtime.TVMTensorAllocWithScope", this.shape(...sizes), type, GPU, null) as Handle;
  }

  #define(name: string, callback: Callback): void {
    this.#exports.TVMFFIFunctionSetGlobal(this.#bytes(name), this.#wrap(callback).address, 1);
  }

  #wrap(callback: Callback): Handle {
    const out = this.#allocate(4);
    this.#exports.TVMFFIWasmFunctionCreate(this.#callbacks.push(callback) - 1, out);
    return { tag: 68, address: this.#view.getUint32(out, true) };
  }

  #invoke({ address }: Handle, args: readonly unknown[]): unknown {
    const cells = this.#allocate((args.length + 1) * CELL);
    for (const [i, one] of args.entries()) this.#write(cells + i * CELL, one);
    const result = cells + args.length * CELL;
    this.#write(result, null);
    const status = this.#exports.TVMFFIFunctionCall(address, cells, args.length, result);
    if (status !== 0) throw new Error(this.#text(this.#exports.TVMFFIWasmGetLastError()));
    return this.#read(result);
  }

  #write(at: number, value: unknown): void {
    const [tag, bits] =
      typeof value === "number"
        ? [1, value]
        : typeof value === "string"
          ? [8, this.#cString(value)]
          : value === null || value === undefined
            ? [0, 0]
            : [(value as Handle).tag, (value as Handle).address];
    this.#view.setInt32(at, tag, true);
    this.#view.setInt32(at + 4, 0, true);
    this.#view.setBigInt64(at + 8, BigInt(bits), true);
  }

  #read(at: number): unknown {
    const tag = this.#view.getInt32(at, true);
    const address = this.#view.getUint32(at + 8, true);
    if (tag === 0) return null;
    if (tag === 1) return address;
    if (tag === 8) return this.#text(address);
    if (tag !== 65) return { tag, address };
    const [data, size] = [this.#view.getUint32(address + 24, true), this.#view.getUint32(address + 28, true)];
    return this.#text(data, size);
  }

  #text(at: number, size = new Uint8Array(this.#exports.memory.buffer, at).indexOf(0)): string {
    return new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, at, size));
  }

  #cString(text: string): number {
    const at = this.#allocate(text.length + 1);
    new Uint8Array(this.#exports.memory.buffer).set(new TextEncoder().encode(`${text}\0`), at);
    return at;
  }

  #bytes(text: string): number {
    const data = this.#cString(text);
    const at = this.#allocate(8);
    this.#view.setUint32(at, data, true);
    this.#view.setUint32(at + 4, text.length, true);
    return at;
  }

  #allocate(bytes: number): number {
    return this.#exports.TVMWasmAllocSpace(bytes);
  }

  get #view(): DataView {
    return new DataView(this.#exports.memory.buffer);
  }
}
