/** Errors of models that do not make one vector of a text, do not say how, or make it in a way that is not computed here. */

import type { EmbeddingModel } from "../../../engine-api/embedding-model.ts";
import { EngineError } from "../../../engine-api/engine-error.ts";

type NamedModel = Pick<EmbeddingModel, "id" | "hub" | "sourceURL">;

/** Neither the model's files nor its record say how it pools. */
export class UnknownPoolingError extends EngineError {
  /** Name of the file that would state it. */
  readonly file: string;

  constructor(message: string, file: string) {
    super("unknown_pooling", message, { param: "model" });
    this.file = file;
  }
}

/** Architectures of models that generate or classify. Some embedding models have one, but then state their pooling. */
const OTHER_KINDS = /For(?!MaskedLM$|PreTraining$)[A-Z]\w*$|LMHeadModel$|ColBERT$/;
/** Of them, those that make a score for a pair of texts, or a label. */
const SCORING = /For(Sequence|Token)Classification$/;
const NO_ENDPOINT =
  "Rerankers and classifiers make scores or labels, for which there is no endpoint: use an embedding model, and compare its vectors.";
const OTHER_FILES =
  "A chat model needs an MLC build of web-llm's list, or a GGUF file, which 'file' of a deployment names.";
/** Names of classes are shorter; the pattern takes quadratic time. */
const MAX_NAME_LENGTH = 200;

export function unknownPooling(
  { id, hub, sourceURL }: NamedModel,
  architecture: string | undefined,
  file: string,
): EngineError {
  const name = hub?.repository ?? id;
  if (architecture && architecture.length <= MAX_NAME_LENGTH && OTHER_KINDS.test(architecture)) {
    return new EngineError(
      "unsupported_model",
      `The model '${name}' is not an embedding model: its config.json says ${architecture}. ${SCORING.test(architecture) ? NO_ENDPOINT : OTHER_FILES}`,
      { param: "model" },
    );
  }
  return new UnknownPoolingError(
    `The embedding model '${name}' does not say how its vectors are pooled: ${sourceURL}${file} was not found. Add pooling ('mean', 'cls' or 'last_token', see its card) ${whereToState(hub)}.`,
    file,
  );
}

/** @param what a step between tokens and vector */
export function notComputed({ id, hub }: Omit<NamedModel, "sourceURL">, what: string): EngineError {
  return new EngineError(
    "unsupported_model",
    `The embedding model '${hub?.repository ?? id}' cannot be run: ${what} is not computed here. If its ONNX file has the output 'sentence_embedding', which contains it, add pooling 'sentence_embedding' ${whereToState(hub)}.`,
    { param: "model" },
  );
}

function whereToState(hub: NamedModel["hub"]): string {
  return hub
    ? `to its entry in the option models, or, for deployments and batches, an entry { kind: 'embedding', id: '${hub.repository}', pooling: '…' }`
    : "to its entry in the option models, or to its manifest";
}

/** @param why follows a colon */
export function manyVectors({ id, hub }: NamedModel, why: string): EngineError {
  return new EngineError(
    "unsupported_model",
    `The model '${hub?.repository ?? id}' does not make one vector of a text: ${why}. Use an embedding model that does.`,
    { param: "model" },
  );
}
