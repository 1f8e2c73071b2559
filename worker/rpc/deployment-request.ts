import * as z from "zod/mini";
import { findUnknownNames } from "../../src/protocol/options/option-names.ts";
import { MAX_PARALLEL } from "../../src/protocol/parallel.ts";
import type { DeploymentRequest } from "../../src/protocol/rpc/deployments.ts";
import { isObject } from "../../src/shared/is-object.ts";
import type { StoredDeployment } from "../catalog/deployments/stored-deployment.ts";
import { hubNameError } from "../catalog/hub/hub-name-errors.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
import { isFileName } from "../engine-api/file-name.ts";
import { badRequest } from "../http/api-error.ts";
import { integer } from "../http/validation/fields.ts";
import { validate } from "../http/validation/validate.ts";

const ggufName = z
  .string()
  .check(
    z.regex(/\.gguf$/i, "the name of a GGUF file must end in .gguf"),
    z.refine(isFileName, "expected the path of a file in the repository"),
  );

const schema = z.object({
  name: z
    .string()
    .check(
      z.regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
        "expected 1 to 64 letters, digits, '.', '_' and '-', starting with a letter or digit",
      ),
    ),
  model: z.string().check(z.minLength(1)),
  file: z.nullish(ggufName),
  projector: z.nullish(z.union([z.literal("auto"), ggufName])),
  contextWindow: z.nullish(integer(1)),
  parallel: z.nullish(z.union([z.literal("auto"), integer(1, MAX_PARALLEL)])),
  engine: z.nullish(z.enum(["webllm", "llamacpp", "transformers"])),
  keepLoaded: z.nullish(z.boolean()),
  tools: z.nullish(z.literal("generic")),
  samplingDefaults: z.nullish(z.enum(["api", "model"])),
  parseSpecialTokens: z.nullish(z.boolean()),
});

/** @throws {ApiError} 400 that names the field */
export async function parseDeployment(
  request: DeploymentRequest,
  created: number,
): Promise<StoredDeployment> {
  if (!isObject(request)) {
    const message = "The deployment must be an object, such as { name, model }.";
    throw badRequest("invalid_type", null, message);
  }
  requireKnownNames(request);
  const sent = await validate(schema, request);
  requireConsistent(sent);
  return {
    name: sent.name,
    model: sent.model,
    file: sent.file ?? null,
    projector: sent.projector ?? null,
    contextWindow: sent.contextWindow ?? null,
    engine: sent.engine ?? null,
    keepLoaded: sent.keepLoaded ?? false,
    tools: sent.tools ?? null,
    samplingDefaults: sent.samplingDefaults ?? null,
    parseSpecialTokens: sent.parseSpecialTokens ?? null,
    parallel: sent.parallel ?? null,
    created,
  };
}

/** @throws {ApiError} 400 for names that the schema cannot check */
function requireConsistent({ name, model, file, projector }: z.output<typeof schema>): void {
  if (name.startsWith("infetch-")) {
    throw badRequest(
      "invalid_value",
      "name",
      "Invalid 'name': names that start with 'infetch-' are reserved for the catalogue.",
    );
  }
  if (projector && !file) {
    throw badRequest(
      "invalid_value",
      "projector",
      "Invalid 'projector': a projector belongs to a GGUF model, whose 'file' must be given.",
    );
  }
  const fault = hubNameError(model);
  if (fault !== undefined) throw badRequest("invalid_value", "model", `Invalid 'model': ${fault}.`);
}

/** Unlike those of the HTTP API, these options are ours alone: an unknown one is misspelt. */
function requireKnownNames(request: object): void {
  const known = Object.keys(schema.shape);
  const message = findUnknownNames("", request, known);
  if (message === undefined) return;
  const param = Object.keys(request).find((name) => !known.includes(name))!;
  throw badRequest("invalid_value", param, message);
}

/** @throws {ApiError} 400 for settings that the model does not support */
export function requireFitting({ engine, contextWindow }: StoredDeployment, base: CatalogRecord): void {
  const engines =
    base.kind === "embedding"
      ? [base.embedding.gguf ? "llamacpp" : "transformers"]
      : Object.keys(base.builds);
  if (engine && !engines.includes(engine)) {
    throw badRequest(
      "unsupported_engine",
      "engine",
      `The model '${base.id}' cannot run on '${engine}', only on ${engines.join(" or ")}.`,
    );
  }
  const most = base.kind === "chat" ? base.maxContextWindow : base.contextWindow;
  if (contextWindow && most && contextWindow > most) {
    throw badRequest(
      "integer_above_max_value",
      "contextWindow",
      `Invalid 'contextWindow': integer above maximum value. The model '${base.id}' has ${most} tokens, but got ${contextWindow} instead.`,
    );
  }
}
