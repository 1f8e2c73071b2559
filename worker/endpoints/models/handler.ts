import type { ModelRecord } from "../../catalog/model-record.ts";
import { type Handler, requireModel } from "../endpoint.ts";

/** `GET /v1/models`: everything in one answer (spec, Limits 3). */
export const listModels: Handler = async (_context, { catalog }) =>
  Response.json({ object: "list", data: catalog.list().map(toModelObject) });

/** `GET /v1/models/{id}` */
export const retrieveModel: Handler = async ({ params }, { catalog }) =>
  Response.json(toModelObject(requireModel(catalog, params.model ?? "")));

/** The four fields of OpenAI's object, and one field for everything that is ours. */
function toModelObject(model: ModelRecord) {
  return {
    id: model.id,
    object: "model" as const,
    created: model.created,
    owned_by: model.ownedBy,
    infetch: { engine: model.engine, context_window: model.contextWindow },
  };
}
