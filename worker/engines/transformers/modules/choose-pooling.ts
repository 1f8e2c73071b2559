/** Chooses the pooling of a model: its record's, that of its own files, or that of a well-known model. */

import { isObject } from "../../../../src/shared/is-object.ts";
import type { EmbeddingModel, Pooling } from "../../../engine-api/embedding-model.ts";
import { EngineError } from "../../../engine-api/engine-error.ts";
import type { NetworkConfiguration } from "../network-configuration.ts";
import { modesOf, poolingOf, type readModules } from "./module-list.ts";
import { manyVectors, notComputed, unknownPooling } from "./unknown-pooling.ts";

type PooledModel = Pick<EmbeddingModel, "id" | "hub" | "sourceURL" | "pooling" | "knownRules">;

/** What the model's files say. */
interface PoolingFiles {
  network: NetworkConfiguration;
  modules: ReturnType<typeof readModules>;
  poolingFile: string;
  /** Content of `poolingFile`; undefined without one, and where the record states the pooling. */
  stated: unknown;
  /** Content of `config_sentence_transformers.json`, if there is one. */
  prompts: unknown;
}

interface ChosenPooling {
  pooling: Pooling;
  /** The rules of a well-known model, where the files state no pooling. */
  known: EmbeddingModel["knownRules"];
  /** These rules, or those of a well-known model with the same pooling: authors of older models name prefixes in cards. */
  named: EmbeddingModel["knownRules"];
}

/**
 * @throws {EngineError} `unknown_pooling`, or `unsupported_model` for a model of another kind and for steps that are not
 * computed here: whether the network has them, only its file shows, so that an option has to say it
 */
export function choosePooling(model: PooledModel, files: PoolingFiles): ChosenPooling {
  const { stated, poolingFile, modules } = files;
  if (model.pooling === undefined) requireOneVector(model, files);
  if (model.pooling !== "sentence_embedding" && modules.foreign) throw notComputed(model, modules.foreign);
  const isStatic = modules.staticFolder !== undefined;
  const isUnstated = model.pooling === undefined && stated === undefined && !isStatic;
  if (isUnstated && modules.steps.some(({ kind }) => kind === "Dense"))
    throw manyVectors(model, "its modules.json has a Dense module for each token, as ColBERT models do");
  const known = isUnstated ? model.knownRules : undefined;
  if (isUnstated && !known) throw unknownPooling(model, files.network.architectures?.[0], poolingFile);
  const pooling = isStatic
    ? "sentence_embedding"
    : (model.pooling ?? known?.pooling ?? statedPooling(model, stated));
  const named = known ?? (model.knownRules?.pooling === pooling ? model.knownRules : undefined);
  return { pooling, known, named };
}

/** @throws {EngineError} for a mode that is not computed here */
function statedPooling(model: PooledModel, stated: unknown): Pooling {
  const modes = modesOf(stated);
  const pooling = poolingOf(modes);
  if (pooling === undefined) throw notComputed(model, `its pooling mode (${modes.join(" and ")})`);
  return pooling;
}

/** @throws {EngineError} for files of a model that makes no single vector for every text */
function requireOneVector(model: PooledModel, { prompts, modules }: PoolingFiles): void {
  const kind = otherKindOf(prompts);
  if (kind !== undefined) throw manyVectors(model, `its config_sentence_transformers.json says ${kind}`);
  if (modules.routes)
    throw new EngineError(
      "unsupported_model",
      `The embedding model ${model.id} cannot be run: its modules.json has other networks for queries than for documents. If its ONNX file has the output 'sentence_embedding' for both, state pooling: 'sentence_embedding'.`,
      { param: "model" },
    );
}

/** Classes of sentence-transformers and PyLate that make scores, sparse vectors, or a vector for each token. */
const OTHER_KINDS: readonly unknown[] = ["CrossEncoder", "SparseEncoder", "MultiVectorEncoder", "ColBERT"];

/** The class that saved the files, if it is one of those. */
function otherKindOf(configuration: unknown): string | undefined {
  const { model_type: type } = isObject(configuration) ? configuration : {};
  return OTHER_KINDS.includes(type) ? String(type) : undefined;
}
