/** Validates the names and values of options. `setup-errors.ts` has the messages. */

import { isParallel } from "../protocol/parallel.ts";
import { isObject } from "../shared/is-object.ts";
import type {
  BillingSettings,
  EmbeddingOptions,
  HubOptions,
  LlamaCppOptions,
  TestingOptions,
} from "./option-groups.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

const MAX_GRACE_MS = 24 * 3_600_000;

/** The values of an option; `any` is validated where it is used. */
const KINDS = {
  address: (value) => typeof value === "string" || value instanceof URL,
  boolean: (value) => typeof value === "boolean",
  text: (value) => typeof value === "string" && value !== "",
  token: (value) => typeof value === "string" && /^[\x21-\x7e]+$/.test(value),
  list: Array.isArray,
  object: isGroup,
  "false or object": (value) => value === false || isGroup(value),
  "whole number": Number.isSafeInteger,
  count: (value) => Number.isInteger(value) && (value as number) >= 1,
  size: (value) => typeof value === "number" && value > 0,
  "keep-alive": (value) => typeof value === "number" && value >= -1,
  grace: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_GRACE_MS,
  parallel: isParallel,
  sampling: (value) => value === "api" || value === "model",
  device: (value) => value === "auto" || value === "webgpu" || value === "wasm",
  any: () => true,
} satisfies Record<string, (value: unknown) => boolean>;

export type Kind = keyof typeof KINDS;

/** Kind of each option. */
export const RUNTIME_OPTIONS = {
  baseURL: "address",
  assetsURL: "address",
  modelsURL: "address",
  maxQueuedRequests: "count",
  parallel: "parallel",
  strict: "boolean",
  samplingDefaults: "sampling",
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
  memoryBudgetBytes: "size",
  keepAliveMs: "keep-alive",
} satisfies Record<keyof RuntimeOptions, Kind>;

/** Nested options. */
export const GROUPS = {
  billing: { pricing: "any", graceMs: "grace" } satisfies Record<keyof BillingSettings, Kind>,
  embeddings: { device: "device", runtimeURL: "address" } satisfies Record<keyof EmbeddingOptions, Kind>,
  llamacpp: { device: "device" } satisfies Record<keyof LlamaCppOptions, Kind>,
  hub: { url: "address", token: "token", librariesURL: "address" } satisfies Record<keyof HubOptions, Kind>,
  testing: { clockOffsetMs: "whole number" } satisfies Record<keyof TestingOptions, Kind>,
};

/** Whether the options are valid. The server, which has the catalogue, validates `models` and `upstream`. */
export function areOptions(options: unknown): options is RuntimeOptions {
  if (!isGroup(options)) return false;
  if (invalidNames(options, RUNTIME_OPTIONS).length > 0) return false;
  return Object.entries(GROUPS).every(
    ([name, kinds]) =>
      invalidNames((options as RuntimeOptions)[name as keyof typeof GROUPS] || {}, kinds).length === 0,
  );
}

/** Unknown names, and options with a wrong value. Null counts as omitted. */
export function invalidNames(options: object, kinds: Record<string, Kind>): string[] {
  return Object.entries(options)
    .filter(([name, value]) => !Object.hasOwn(kinds, name) || !(value == null || KINDS[kinds[name]!](value)))
    .map(([name]) => name);
}

function isGroup(value: unknown): value is object {
  return isObject(value) && !(value instanceof URL);
}
