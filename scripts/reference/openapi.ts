/** Generates the OpenAPI 3.1 document of `/v1` from the schemas. */

import { z } from "zod";
import type { $ZodType } from "zod/v4/core";
import { errorSchema } from "../../worker/endpoints/common-response-schema.ts";
import { type Operation, operations } from "./operations.ts";

type Json = Record<string, unknown>;

/** Checks in code are not included; the server's response names the invalid parameter and the reason. */
function toSchema(schema: $ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
  }) as Json;
  return rest;
}

const errorOf = (description: string): Json => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
});

const { error: ownError } = errorSchema.shape;
/** An upstream's refusal keeps the type that the upstream gave it. */
const publishedError = z.strictObject({
  error: z.strictObject({ ...ownError.shape, type: z.union([ownError.shape.type, z.string()]) }),
});

/** Errors common to all paths. */
const ERRORS: Record<string, Json> = {
  "400": errorOf("A parameter is wrong: `param` names it, `code` says why."),
  "401": errorOf("No key, or a wrong one."),
  "403": errorOf("The key may not call this path, or not use this model."),
  "404": errorOf("No such path, model, file, batch or invoice."),
  "405": errorOf("Not a method of this path; `allow` lists them."),
  "409": errorOf("A batch that has ended cannot be cancelled."),
  "413": errorOf("The upload is too large."),
  "429": errorOf("A limit of the key, or a full queue; `retry-after` says when to come back."),
  "500": errorOf("The engine failed."),
  "502": errorOf("A model could not be downloaded, an upstream failed, or the ledger cannot be read."),
  "503": errorOf("No engine can run this model here, or it was lost twice."),
  "504": errorOf("The service worker got no answer in time."),
  "507": errorOf("The browser has no room for the model."),
};

function requestBody({
  schema,
  more = {},
  required = [],
  isForm = false,
}: NonNullable<Operation["body"]>): Json {
  const own = toSchema(schema, "input") as { properties: Json; required?: string[] };
  const whole = {
    ...own,
    properties: { ...own.properties, ...more },
    required: [...(own.required ?? []), ...required],
  };
  return {
    required: true,
    content: { [isForm ? "multipart/form-data" : "application/json"]: { schema: whole } },
  };
}

function success({ answer, event }: Operation): Json {
  const content: Json = answer
    ? { "application/json": { schema: toSchema(answer, "output") } }
    : { "application/octet-stream": {} };
  if (event) {
    const description =
      "Each `data:` line of a stream holds one of these; chats and completions end with `[DONE]`.";
    content["text/event-stream"] = { schema: { ...toSchema(event, "output"), description } };
  }
  const headers = {
    "x-request-id": { description: "A v4 UUID.", schema: { type: "string", format: "uuid" } },
  };
  return { description: "The answer.", headers, content };
}

function toOperation(path: string, method: string, operation: Operation): Json {
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    ...Object.entries(operation.query ?? {}).map(([name, schema]) => ({ name, in: "query", schema })),
  ];
  return {
    operationId: `${method}${path.replaceAll(/[^\w]+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    summary: operation.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: requestBody(operation.body) } : {}),
    responses: { "200": success(operation), ...ERRORS },
  };
}

/** @param version the package version */
export function openapiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [route, operation] of Object.entries(operations)) {
    const [method, path] = route.split(" ") as [string, string];
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: toOperation(path, method.toLowerCase(), operation),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "infetch",
      version,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      description:
        "What `runtime.fetch` answers in the page. Unknown fields of requests are ignored; a known one that cannot be " +
        "honoured is a 400 that names it.",
    },
    servers: [{ url: "/", description: "The page's own origin: nothing leaves it." }],
    security: [{ key: [] }],
    paths,
    components: {
      schemas: { Error: toSchema(publishedError, "output") },
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "`infetch-<accessKey>-<secretKey>`" },
      },
    },
  };
}
