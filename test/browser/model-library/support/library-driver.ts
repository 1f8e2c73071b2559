/**
 * Calls the library's functions directly, through the runtime that web-llm has made for it: what a batch engine
 * does, without an engine. Works on a KV cache of its own beside the one of web-llm's chat.
 */
import type { TestEngine } from "./engine.ts";

/** The parts of web-llm's private runtime that are used here. */
interface Tensor {
  shape: number[];
  copyFrom(source: ArrayLike<number> | Tensor): Tensor;
  view(shape: number[]): Tensor;
  toArray(): Float32Array | Int32Array;
  dispose(): void;
}
interface List {
  get(index: number): Tensor;
}
type Call = (...parameters: unknown[]) => unknown;
interface Runtime {
  beginScope(): void;
  endScope(): void;
  detachFromCurrentScope<T>(object: T): T;
  getGlobalFunc(name: string): Call;
  empty(shape: number[], type: string, device: unknown): Tensor;
  makeShapeTuple(shape: number[]): unknown;
  scalar(value: number, type: string): unknown;
  cpu(): unknown;
}
interface Pipeline {
  tvm: Runtime;
  device: { sync(): Promise<void> };
  vm: { getFunction(name: string): Call };
  params: unknown;
}

export interface CacheSize {
  sequences: number;
  positions: number;
  chunk: number;
}

/** One sequence's part of a forward pass. */
export interface Feed {
  id: number;
  tokens: readonly number[];
}

export type Numbers = Float32Array | Int32Array;
type ModelCall = (name: string, ...parameters: unknown[]) => unknown;
/** A tensor on the GPU with these numbers; default shape: a vector. */
type Upload = (numbers: Numbers, shape?: number[]) => Tensor;

export class LibraryDriver {
  readonly #pipeline: Pipeline;
  readonly #cache: unknown;

  constructor(tested: TestEngine, model: string, { sequences, positions, chunk }: CacheSize) {
    const inside = tested.engine as unknown as { loadedModelIdToPipeline: Map<string, Pipeline> };
    this.#pipeline = inside.loadedModelIdToPipeline.get(model)!;
    this.#cache = this.#scoped((tvm) => {
      const sizes = [sequences, positions, chunk, 16, 0].map((size) => tvm.makeShapeTuple([size]));
      return tvm.detachFromCurrentScope(this.#machine("create_tir_paged_kv_cache")(...sizes));
    });
  }

  add = (id: number): void => void this.#state("kv_state_add_sequence", id);
  remove = (id: number): void => void this.#state("kv_state_remove_sequence", id);
  fork = (parent: number, child: number, position: number): void =>
    void this.#state("kv_state_fork_sequence", parent, child, position);
  popn = (id: number, count: number): void => void this.#state("kv_state_popn", id, count);
  clear = (): void => void this.#state("kv_state_clear");
  end = (): void => void this.#state("kv_state_end_forward");
  freePages = (): number => this.#state("attention_kv_cache_get_num_available_pages") as number;
  totalLength = (): number => this.#state("attention_kv_cache_get_total_sequence_length") as number;
  lengthOf = (id: number): number => this.#state("attention_kv_cache_get_sequence_length", id) as number;

  begin(feeds: readonly Feed[]): void {
    this.#scoped((tvm) =>
      tvm.getGlobalFunc("vm.builtin.kv_state_begin_forward")(
        this.#cache,
        tvm.makeShapeTuple(feeds.map(({ id }) => id)),
        tvm.makeShapeTuple(feeds.map(({ tokens }) => tokens.length)),
      ),
    );
  }

  /** Feeds several sequences in one pass. Rows of logits at these positions of all tokens; default: the last ones. */
  prefill(
    feeds: readonly Feed[],
    positions: readonly number[] = lastPositions(feeds),
  ): Promise<Float32Array[]> {
    return this.#forward("batch_prefill", feeds, [1, -1], positions);
  }

  /** Feeds one token to each sequence. A row of logits for each. */
  decode(feeds: readonly Feed[]): Promise<Float32Array[]> {
    return this.#forward("batch_decode", feeds, [-1, 1]);
  }

  /** web-llm's own pair of functions, for one sequence. */
  async single(feed: Feed): Promise<Float32Array> {
    const name = feed.tokens.length === 1 ? "decode" : "prefill";
    return (await this.#forward(name, [feed], [1, -1]))[0]!;
  }

  /**
   * Runs functions of the model on tensors of these contents and reads back what `work` returns. `gpu` uploads:
   * whole numbers as int32, floats as float32.
   */
  async compute(work: (call: ModelCall, gpu: Upload) => Tensor): Promise<Numbers> {
    const host = this.#scoped((tvm) => {
      const gpu = (numbers: Numbers, shape = [numbers.length]) =>
        tvm
          .empty(shape, numbers instanceof Int32Array ? "int32" : "float32", this.#pipeline.device)
          .copyFrom(numbers);
      const made = work((name, ...parameters) => this.#machine(name)(...parameters), gpu);
      const type = made as Tensor & { dtype: string };
      return tvm.detachFromCurrentScope(tvm.empty(made.shape, type.dtype, tvm.cpu()).copyFrom(made));
    });
    await this.#pipeline.device.sync();
    const numbers = host.toArray();
    host.dispose();
    return numbers;
  }

  /** A whole step of a batch engine: one token for each sequence, the next ones drawn, one read-back. */
  async step(feeds: readonly Feed[], temperature = 0.7, topP = 0.9): Promise<Int32Array> {
    this.begin(feeds);
    const rows = feeds.length;
    const all = (value: number) => new Float32Array(rows).fill(value);
    return (await this.compute((call, gpu) => {
      const logits = this.#run(call, gpu, "batch_decode", feeds, [rows, 1]);
      const made = call("softmax_with_temperature", logits, gpu(all(temperature))) as Tensor;
      const sorted = call("argsort_probs", made.view([rows, made.shape[2]!])) as List;
      const each = gpu(Int32Array.from({ length: rows }, (_, row) => row));
      return call(
        "sample_with_top_p",
        sorted.get(0),
        sorted.get(1),
        gpu(all(0.5)),
        each,
        gpu(all(topP)),
      ) as Tensor;
    })) as Int32Array;
  }

  async #forward(
    name: string,
    feeds: readonly Feed[],
    shape: [number, number],
    positions?: readonly number[],
  ): Promise<Float32Array[]> {
    this.begin(feeds);
    const all = await this.compute((call, gpu) => this.#run(call, gpu, name, feeds, shape, positions));
    const count = positions?.length ?? (name === "batch_decode" ? feeds.length : 1);
    const size = all.length / count;
    return Array.from({ length: count }, (_, i) => (all as Float32Array).slice(i * size, (i + 1) * size));
  }

  /** Embeds and runs a pass that has begun; its logits. A size of -1 stands for the number of tokens. */
  #run(
    call: ModelCall,
    gpu: Upload,
    name: string,
    feeds: readonly Feed[],
    shape: [number, number],
    positions?: readonly number[],
  ): Tensor {
    const ids = Int32Array.from(feeds.flatMap(({ tokens }) => tokens));
    const embedded = call("embed", gpu(ids), this.#pipeline.params) as Tensor;
    const sizes = shape.map((size) => (size < 0 ? ids.length : size));
    const input = embedded.view([...sizes, embedded.shape[1]!]);
    const chosen = positions ? [gpu(Int32Array.from(positions))] : [];
    const result = call(name, input, ...chosen, this.#cache, this.#pipeline.params) as List;
    this.end();
    return result.get(0);
  }

  #machine(name: string): Call {
    return this.#pipeline.vm.getFunction(name);
  }

  #state(name: string, ...numbers: number[]): unknown {
    return this.#scoped((tvm) =>
      tvm.getGlobalFunc(`vm.builtin.${name}`)(
        this.#cache,
        ...numbers.map((number) => tvm.scalar(number, "int64")),
      ),
    );
  }

  #scoped<T>(work: (tvm: Runtime) => T): T {
    const { tvm } = this.#pipeline;
    tvm.beginScope();
    try {
      return work(tvm);
    } finally {
      tvm.endScope();
    }
  }
}

function lastPositions(feeds: readonly Feed[]): number[] {
  const ends: number[] = [];
  for (const { tokens } of feeds) ends.push((ends.at(-1) ?? -1) + tokens.length);
  return ends;
}
