/** Validates option names and types, for JavaScript callers. `start-refusals.ts` has the messages. */

import { isObject } from "../protocol/is-object.ts";
import type {
  BillingSettings,
  EmbeddingOptions,
  HubOptions,
  LlamaCppOptions,
  TestingOptions,
} from "./option-groups.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

export type Kind = "address" | "boolean" | "number" | "text" | "list" | "object" | "false or object" | "any";

/** Type of each option; `any` is validated where it is used. */
export const RUNTIME_OPTIONS = {
  baseURL: "address",
  assetsURL: "address",
  modelsURL: "address",
  maxQueuedRequests: "number",
  parallel: "any",
  strict: "boolean",
  samplingDefaults: "any",
  parseSpecialTokens: "boolean",
  remoteImages: "boolean",
  billing: "false or object",
  storageName: "text",
  shared: "boolean",
  models: "list",
  upstream: "object",
  embeddings: "object",
  llamacpp: "object",
  hub: "object",
  testing: "object",
  memoryBudgetBytes: "number",
  keepAliveMs: "number",
} satisfies Record<keyof RuntimeOptions, Kind>;

/** Nested options. */
export const GROUPS = {
  billing: { pricing: "any", graceMs: "number" } satisfies Record<keyof BillingSettings, Kind>,
  embeddings: { device: "any", runtimeURL: "address" } satisfies Record<keyof EmbeddingOptions, Kind>,
  llamacpp: { device: "any" } satisfies Record<keyof LlamaCppOptions, Kind>,
  hub: { url: "address", token: "text", librariesURL: "address" } satisfies Record<keyof HubOptions, Kind>,
  testing: { clockOffsetMs: "number" } satisfies Record<keyof TestingOptions, Kind>,
};

/** Whether the options are valid. The server, which has the catalogue, validates `models` and `upstream`. */
export function areOptions(options: unknown): options is RuntimeOptions {
  if (!isOf("object", options)) return false;
  if (invalidNames(options as object, RUNTIME_OPTIONS).length > 0) return false;
  return Object.entries(GROUPS).every(
    ([name, kinds]) =>
      invalidNames((options as RuntimeOptions)[name as keyof typeof GROUPS] || {}, kinds).length === 0,
  );
}

/** Unknown names, and options of the wrong type. Null counts as omitted. */
export function invalidNames(options: object, kinds: Record<string, Kind>): string[] {
  return Object.entries(options)
    .filter(([name, value]) => !Object.hasOwn(kinds, name) || !(value == null || isOf(kinds[name]!, value)))
    .map(([name]) => name);
}

function isOf(kind: Kind, value: unknown): boolean {
  const isURL = value instanceof URL;
  if (kind === "list") return Array.isArray(value);
  if (kind === "address") return typeof value === "string" || isURL;
  if (kind === "text") return typeof value === "string" && value !== "";
  if (kind === "false or object") return value === false || isOf("object", value);
  if (kind === "object") return isObject(value) && !isURL;
  return kind === "any" || typeof value === kind;
}
