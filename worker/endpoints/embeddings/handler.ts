import type { EmbeddingModelInfo } from "../../engine-api/embedding-engine.ts";
import { prepareInputs } from "../../engines/embeddings/prepare-inputs.ts";
import { readJsonObject } from "../../http/body/json-body.ts";
import { type Handler, queuePositionOf } from "../endpoint.ts";
import { beginMeter } from "../metering/begin-meter.ts";
import {
  requireCountableInputs,
  requireDimensions,
  requireFittingInputs,
  requireKnownUse,
} from "./limits.ts";
import { parseEmbeddingParams } from "./params.ts";
import { requireEmbeddingModel } from "./require-embedding-model.ts";
import { cut, embeddingList } from "./serialize.ts";

/** `POST /v1/embeddings` */
export const createEmbeddings: Handler = async (context, services) => {
  const params = await parseEmbeddingParams(await readJsonObject(context.request));
  const resolved = await requireEmbeddingModel(context, services, params.model);
  const model = resolved.record;
  const { signal } = context.request;
  const meter = beginMeter(context, services, { endpoint: "/v1/embeddings", model: resolved, stream: false });
  const { inputs, use } = params;
  const check = (info: EmbeddingModelInfo): void => {
    requireKnownUse(use, info);
    requireCountableInputs(params, info);
  };
  const prepared = await prepareInputs(services.embeddings, model.embedding, { inputs, use, check }, signal);
  const inputTokens = requireFittingInputs(params, prepared);
  const dimensions = requireDimensions(params.dimensions, prepared.info);
  await context.admission?.countPrompt(inputTokens);
  const full = await services.embeddings.embed(
    model.embedding,
    prepared,
    signal,
    queuePositionOf(context).priority,
  );
  const vectors =
    dimensions === undefined ? full : full.map((vector) => cut(vector, dimensions, prepared.info.isCentered));
  const { engine = "transformers", device, dtype } = prepared.info;
  // Before it is recorded: a body that finds no memory is free.
  const response = Response.json(embeddingList(resolved.name, vectors, params.encoding, inputTokens), {
    headers: { ...params.headers, "x-infetch-engine": `${engine}; device=${device}; dtype=${dtype}` },
  });
  await meter.settle("completed", { inputTokens, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 });
  return response;
};
