import type { EmbeddingModel } from "../../engine-api/embedding-model.ts";
import type { ProbedLoad } from "../embeddings/embedding-wire.ts";
import type { EmbeddingAttempt } from "./attempts.ts";

/** What the server asks of a worker with transformers.js. */
export interface EmbeddingLoad extends ProbedLoad {
  model: Omit<EmbeddingModel, "reference">;
  attempt: EmbeddingAttempt;
  /** Whether files that are not cached are not asked for. @default false */
  isCacheOnly?: boolean;
  /** Folder of the ONNX Runtime files, with a trailing slash. */
  runtimeURL: string;
}
