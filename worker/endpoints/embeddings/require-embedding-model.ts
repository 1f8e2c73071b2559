import { asKind, type EmbeddingModelRecord } from "../../catalog/model-record.ts";
import type { ResolvedModel } from "../../catalog/resolve.ts";
import { ApiError } from "../../http/api-error.ts";
import type { RequestContext, Services } from "../endpoint.ts";
import { requireResolved } from "../require-model.ts";

/** Resolves an embedding model. @throws {ApiError} as {@link requireResolved}; 403 for other kinds, as at OpenAI */
export async function requireEmbeddingModel(
  context: RequestContext,
  services: Services,
  name: string,
): Promise<ResolvedModel<EmbeddingModelRecord>> {
  const { record, ...rest } = await requireResolved(context, services, name);
  const embedding = asKind(record, "embedding");
  if (embedding) return { ...rest, record: embedding };
  throw new ApiError(
    403,
    "model_not_allowed",
    `You are not allowed to generate embeddings from this model: '${name}' is not an embedding model.`,
    { param: "model" },
  );
}
