import { hubNameFault, isHubName } from "../../catalog/hub/hub-name.ts";
import type { CatalogRecord } from "../../catalog/model-record.ts";
import { supportsVision } from "../../catalog/supports-vision.ts";
import type { ChatModelInfo, SamplingDefaults } from "../../engine-api/chat-engine.ts";
import type { EmbeddingModelInfo } from "../../engine-api/embedding-engine.ts";
import type { EmbeddingModel } from "../../engine-api/embedding-model.ts";
import { recommendedSampling } from "../../generation/sampling-defaults.ts";
import { ignoredParameters } from "../../http/query.ts";
import { loadPart } from "../../lazy/part.ts";
import { knownFamily } from "../../tools/families/family-name.ts";
import { mayUseModel } from "../../usage/keys/scopes.ts";
import type { Handler, Services } from "../endpoint.ts";
import { unknownModel, usableNames } from "../model-names.ts";
import { modelNotAllowed, requireResolved } from "../require-model.ts";

/** `GET /v1/models`: all models that the key may use, without pagination. */
export const listModels: Handler = async ({ holder, request }, services) => {
  const { catalog, upstream } = services;
  const forwarded = new Map(upstream?.names.map((id) => [id, toForwardedObject(id, upstream.created)]));
  const here = catalog.list().filter(({ id }) => !forwarded.has(id));
  const models = [
    ...(await Promise.all(here.map(async (model) => describe(await catalog.onDevice(model), services)))),
    ...forwarded.values(),
  ];
  const data = models.filter(({ id }) => mayUseModel(holder, id));
  return Response.json(
    { object: "list", data },
    { headers: ignoredParameters(new URL(request.url).searchParams, []) },
  );
};

/** `GET /v1/models/{id}`: the model that requests with this id run on. */
export const retrieveModel: Handler = async (context, services) => {
  const { holder, params } = context;
  const { upstream } = services;
  const forwarded = upstream?.names.find((id) => id === params.model);
  if (upstream && forwarded !== undefined) {
    if (!mayUseModel(holder, forwarded)) throw modelNotAllowed(forwarded);
    return Response.json(toForwardedObject(forwarded, upstream.created));
  }
  const id = params.model ?? "";
  // Only requests that name a model to run say what is wrong with its name.
  if (hubNameFault(id) !== undefined) throw unknownModel(id, usableNames(holder, services.catalog, upstream));
  const { name, record } = await requireResolved(context, services, id);
  return Response.json({ ...(await describe(record, services)), id: name });
};

/** The model, with what is only known while it is loaded. */
async function describe(model: CatalogRecord, { embeddings, engines }: Services) {
  if (model.kind === "embedding") return toModelObject(model, embeddings.info(model.id));
  const info = engines.loaded(model.id)?.info;
  const object = toModelObject(model, undefined, info);
  if (info?.template) {
    const part = await loadPart(() => import("../../generation/rendering/template-abilities.ts"));
    const { tools, reasoning } = part.templateAbilities(info.template);
    const isGeneric = model.tools === "generic";
    Object.assign(object.infetch.abilities, {
      tools: tools || isGeneric,
      reasoning: reasoning || model.reasoning !== undefined,
    });
  }
  return object;
}

/** A model that the upstream serves; nothing else is known about it. */
function toForwardedObject(id: string, created: number) {
  const infetch = { engine: "upstream" as const, tier: "upstream" as const };
  return { id, object: "model" as const, created, owned_by: "upstream", infetch };
}

/** OpenAI's four fields, and `infetch` for all extensions. */
export function toModelObject(model: CatalogRecord, embedding?: EmbeddingModelInfo, chat?: ChatModelInfo) {
  return {
    id: model.id,
    object: "model" as const,
    created: model.created,
    owned_by: model.ownedBy,
    infetch: {
      engine: engineOf(model, chat),
      engines: enginesOf(model),
      tier: model.deployment ? ("dedicated" as const) : ("serverless" as const),
      deployment_of: model.deployment?.model ?? null,
      base_model: model.baseModel ?? null,
      context_window: chat?.contextWindow ?? model.contextWindow ?? embedding?.maxTokens ?? null,
      max_context_window: maxContextOf(model, chat),
      download_bytes: model.downloadBytes ?? chat?.downloadBytes ?? embedding?.downloadBytes ?? null,
      memory_bytes: model.memoryBytes ?? null,
      licence: model.licence ?? null,
      features: (model.kind === "chat" && model.builds.webllm?.features) || [],
      abilities: abilitiesOf(model),
      ...(model.kind === "embedding"
        ? embeddingInfo(model.embedding, embedding)
        : {
            device: chat?.device ?? null,
            recommended_sampling: shownRecommendation(recommendedSampling(model, chat)),
            notes: chat?.notes ?? [],
          }),
    },
  };
}

/** Maximum of a deployment's `contextWindow`; null if it is only known once the model is loaded. */
function maxContextOf(model: CatalogRecord, loaded: ChatModelInfo | undefined): number | null {
  if (model.kind === "embedding") return model.contextWindow ?? null;
  return loaded?.maxContextWindow ?? model.maxContextWindow ?? null;
}

/** The engine that runs the model, or is expected to. */
function engineOf(model: CatalogRecord, loaded: ChatModelInfo | undefined): string | null {
  if (model.kind === "embedding") return embeddingEngine(model.embedding);
  if (model.isUnread) return null;
  return loaded?.engine ?? model.engine ?? (model.builds.webllm ? "webllm" : "llamacpp");
}

/** Engines with a build of the model; the device determines which one runs it. */
function enginesOf(model: CatalogRecord): string[] {
  return model.kind === "embedding" ? [embeddingEngine(model.embedding)] : Object.keys(model.builds);
}

function embeddingEngine({ gguf }: EmbeddingModel): string {
  return gguf ? "llamacpp" : "transformers";
}

/** What the publisher recommends, under the names of the API; null if unknown. */
function shownRecommendation(values: SamplingDefaults | undefined) {
  if (!values) return null;
  const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [snakeCase(name), value]));
}

/** Supported features of requests; null where only the loaded model has them. */
function abilitiesOf(model: CatalogRecord) {
  if (model.kind === "embedding") return { tools: false, json: false, reasoning: false, vision: false };
  const fixed = { json: true, vision: supportsVision(model) };
  if (model.abilities) return { ...model.abilities, ...fixed };
  if (isHubName(model.deployment?.model ?? model.id)) return { tools: null, reasoning: null, ...fixed };
  const tools = knownFamily({ id: model.baseModel ?? model.id }) !== undefined;
  return { tools, reasoning: model.reasoning !== undefined, ...fixed };
}

/** What matters for stored vectors; device and dimensions are only known while it is loaded. */
function embeddingInfo(model: EmbeddingModel, loaded: EmbeddingModelInfo | undefined) {
  return {
    pooling: loaded?.pooling ?? model.pooling ?? null,
    normalized: loaded?.normalized ?? model.normalize ?? null,
    prefixes: loaded?.prefixes ?? model.prefixes ?? null,
    shortest_dimensions: loaded?.shortestDimensions ?? model.shortestDimensions ?? null,
    dimensions: loaded?.dimensions ?? null,
    device: loaded?.device ?? null,
    dtype: loaded?.dtype ?? null,
    threads: loaded?.threads ?? null,
    notes: loaded?.notes ?? [],
  };
}
