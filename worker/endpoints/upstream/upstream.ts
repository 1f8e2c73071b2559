/** Decides which requests are forwarded to the upstream, and sends them. */

import type { UpstreamModel, UpstreamOptions } from "../../../src/protocol/options/upstream.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { CatalogRecord } from "../../catalog/model-record.ts";
import { resolveModel } from "../../catalog/resolve.ts";
import { ApiError } from "../../http/api-error.ts";

/** Matches all models that this device does not have or cannot run. */
const EVERYTHING_ELSE = "*";

/** A shorter key is a word, as servers that check none are given: `ollama`. */
const SECRET_LENGTH = 16;

/** Browsers do not say which of these it was. */
const UNREACHABLE =
  "The upstream server could not be reached. Check upstream.baseURL, that the server runs and does not redirect, and that it allows this page's origin (CORS).";

interface UpstreamServices {
  fetch: typeof fetch;
  /** Whether this device can run a model. */
  canRun(record: CatalogRecord): Promise<boolean>;
  /** Unix seconds, the `created` time of its models. */
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

  /** Names that are always forwarded. */
  get names(): string[] {
    return [...this.#models.keys()].filter((id) => id !== EVERYTHING_ELSE);
  }

  /** Whether a model may be forwarded. */
  forwards(name: string): boolean {
    return this.#models.has(name) || this.#models.has(EVERYTHING_ELSE);
  }

  /** Unix seconds. */
  get created(): number {
    return this.#services.created;
  }

  /** A text of the upstream, which may repeat the key that it got. */
  withoutKey(text: string): string {
    return this.#apiKey.length < SECRET_LENGTH ? text : text.replaceAll(this.#apiKey, "***");
  }

  /** The upstream's name of the model; undefined if the request is handled locally. */
  async nameOf(name: string, catalog: Catalog, isBatch: boolean): Promise<string | undefined> {
    const named = name === EVERYTHING_ELSE ? undefined : this.#models.get(name);
    if (named !== undefined || !this.#models.has(EVERYTHING_ELSE)) return named;
    const here = resolveModel(catalog, name, isBatch);
    const runs = await Promise.all(here.map(({ record }) => this.#services.canRun(record)));
    return runs.includes(true) ? undefined : name;
  }

  /**
   * Sends a request; only the body is the client's.
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
        // Never send the key to another address.
        redirect: "error",
      });
    } catch (error) {
      signal.throwIfAborted();
      throw new ApiError(502, "upstream_unreachable", UNREACHABLE, { cause: error });
    }
  }
}

function toModel(model: string | UpstreamModel): UpstreamModel {
  return typeof model === "string" ? { id: model } : model;
}
