/** What every endpoint is given and what it is. */

import type { KeyHolder } from "../accounts/keys.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ModelRecord } from "../catalog/model-record.ts";
import type { Clock } from "../clock.ts";
import type { EngineSupervisor } from "../engines/supervisor.ts";
import { ApiError } from "../http/api-error.ts";
import type { Meter } from "../metering/meter.ts";

/** The parts of the server that endpoints call. */
export interface Services {
  clock: Clock;
  catalog: Catalog;
  engines: EngineSupervisor;
  meter: Meter;
}

/** One request on its way through an endpoint. */
export interface RequestContext {
  /** A v4 UUID: `x-request-id`, and the transaction id of its usage. */
  requestId: string;
  holder: KeyHolder;
  request: Request;
  /** Path parameters, decoded. */
  params: Record<string, string>;
}

export type Handler = (context: RequestContext, services: Services) => Promise<Response>;

/** @throws {ApiError} 404 `model_not_found`, worded as OpenAI does */
export function requireModel(catalog: Catalog, id: string): ModelRecord {
  const model = catalog.find(id);
  if (model) return model;
  throw new ApiError(
    404,
    "model_not_found",
    `The model '${id}' does not exist or you do not have access to it.`,
    {
      param: "model",
    },
  );
}
