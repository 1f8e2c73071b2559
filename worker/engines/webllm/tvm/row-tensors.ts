import type { Pipeline, Tensor } from "./pipeline.ts";
import { withScope } from "./scope.ts";

/** Tensors of one width that every step uses again. */
export class RowTensors {
  readonly rows: number;
  /** Tokens to embed. */
  readonly ids: Tensor;
  readonly uniforms: Tensor;
  readonly temperatures: Tensor;
  readonly topPs: Tensor;
  /** 0, 1, 2, … */
  readonly indices: Tensor;
  /** On the CPU. */
  readonly sampled: Tensor;
  #host: Tensor | undefined;
  #sent = "";
  readonly #pipeline: Pipeline;

  constructor(pipeline: Pipeline, rows: number) {
    const { tvm, device } = pipeline;
    const make = (type: "float32" | "int32", on: unknown = device): Tensor =>
      withScope(tvm, () => tvm.detachFromCurrentScope(tvm.empty([rows], type, on)));
    this.#pipeline = pipeline;
    this.rows = rows;
    this.ids = make("int32");
    this.uniforms = make("float32");
    this.temperatures = make("float32");
    this.topPs = make("float32");
    this.indices = make("int32").copyFrom(Array.from({ length: rows }, (_, row) => row));
    this.sampled = make("int32", tvm.cpu());
  }

  /** Uploads what is drawn from; parameters only where they differ from the last step's. */
  upload(draws: readonly { temperature: number; topP: number; uniform: number }[]): void {
    const parameters = draws.map(({ temperature, topP }) => `${temperature} ${topP}`).join();
    if (parameters !== this.#sent) {
      this.#sent = parameters;
      this.temperatures.copyFrom(draws.map(({ temperature }) => temperature));
      this.topPs.copyFrom(draws.map(({ topP }) => topP));
    }
    this.uniforms.copyFrom(draws.map(({ uniform }) => uniform));
  }

  /** Room for all logits on the CPU, made when first needed. */
  get host(): Tensor {
    const { tvm, fullVocabSize } = this.#pipeline;
    this.#host ??= withScope(tvm, () =>
      tvm.detachFromCurrentScope(tvm.empty([this.rows, 1, fullVocabSize], "float32", tvm.cpu())),
    );
    return this.#host;
  }
}
