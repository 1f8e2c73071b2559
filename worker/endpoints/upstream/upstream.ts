/** Which requests go to the upstream, and the call itself. */

import type { UpstreamModel, UpstreamOptions } from "../../../src/protocol/upstream.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { CatalogRecord } from "../../catalog/model-record.ts";
import { resolveModel } from "../../catalog/resolve.ts";
import { ApiError } from "../../http/api-error.ts";

/** Stands for whatever this device does not have or cannot run. */
const EVERYTHING_ELSE = "*";

export interface UpstreamServices {
  fetch: typeof fetch;
  /** Whether this device can run a model. */
  canRun(record: CatalogRecord): Promise<boolean>;
  /** Unix seconds: since when its models are known here. */
  created: number;
}

export class Upstream {
  readonly #baseURL: string;
  readonly #apiKey: string;
  readonly #models: ReadonlyMap<string, string>;
  readonly #services: UpstreamServices;

  constructor({ baseURL, apiKey, models }: UpstreamOptions, services: UpstreamServices) {
    this.#baseURL = String(baseURL).replace(/\/+$/, "");
    this.#apiKey = apiKey;
    this.#models = new Map(
      [models]
        .flat()
        .map(toModel)
        .map(({ id, model }) => [id, model ?? id]),
    );
    this.#services = services;
  }

  /** The names that are forwarded, whatever this device has. */
  get names(): string[] {
    return [...this.#models.keys()].filter((id) => id !== EVERYTHING_ELSE);
  }

  /** Unix seconds. */
  get created(): number {
    return this.#services.created;
  }

  /** What the upstream calls the model, or undefined for a request that is answered here. */
  async nameOf(name: string, catalog: Catalog, isBatch: boolean): Promise<string | undefined> {
    const named = name === EVERYTHING_ELSE ? undefined : this.#models.get(name);
    if (named !== undefined || !this.#models.has(EVERYTHING_ELSE)) return named;
    const here = resolveModel(catalog, name, isBatch);
    const runs = await Promise.all(here.map(({ record }) => this.#services.canRun(record)));
    return runs.includes(true) ? undefined : name;
  }

  /**
   * Sends a request on, with nothing of the client's but its body.
   *
   * @throws {ApiError} 502 `upstream_unreachable`
   * @throws the signal's reason
   */
  async send(path: string, body: object, signal: AbortSignal): Promise<Response> {
    try {
      return await this.#services.fetch(`${this.#baseURL}${path.replace(/^\/v1/, "")}`, {
        method: "POST",
        headers: { authorization: `Bearer ${this.#apiKey}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal,
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
        // The key is for the one address that was configured.
        redirect: "error",
      });
    } catch (error) {
      signal.throwIfAborted();
      throw new ApiError(502, "upstream_unreachable", "The upstream server could not be reached.", {
        cause: error,
      });
    }
  }
}

function toModel(model: string | UpstreamModel): UpstreamModel {
  return typeof model === "string" ? { id: model } : model;
}
