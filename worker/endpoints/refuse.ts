import * as z from "zod/mini";
import { isObject } from "../../src/protocol/is-object.ts";
import { badRequest } from "../http/api-error.ts";
import { validate } from "../http/validate.ts";

/** An OpenAI parameter that this runtime does not support. */
interface Refusal {
  /** What OpenAI takes. */
  schema: z.ZodMiniType;
  /** Whether a value has no effect. Such values are accepted, others refused, never silently dropped. */
  isIdle(value: unknown): boolean;
}

export type Refusals = Readonly<Record<string, Refusal>>;

const anyObject = z.record(z.string(), z.unknown());

/** A parameter that takes one of `values`, of which `idle` have no effect. */
function choice(values: readonly string[], idle: readonly string[]): Refusal {
  return { schema: z.enum(values), isIdle: (value) => idle.includes(value as string) };
}

/** An object, refused unless each of its fields is null or has one of the values in `idle`. */
export function objectWithIdle(idle: Readonly<Record<string, readonly unknown[]>>): Refusal {
  const isIdleField = ([name, value]: [string, unknown]): boolean =>
    value === null || (Object.hasOwn(idle, name) && idle[name]!.includes(value));
  const isIdle = (value: unknown) => isObject(value) && Object.entries(value).every(isIdleField);
  return { schema: anyObject, isIdle };
}

/** Refused whatever it contains. */
export const UNSUPPORTED_OBJECT: Refusal = { schema: anyObject, isIdle: () => false };

/** A flag that may only be false. */
export const ONLY_FALSE: Refusal = { schema: z.boolean(), isIdle: (value) => value === false };

/** Parameters of chats and responses. */
export const SHARED_REFUSALS: Refusals = {
  moderation: UNSUPPORTED_OBJECT,
  prompt_cache_options: objectWithIdle({ mode: ["implicit"], ttl: ["30m"] }),
  prompt_cache_retention: choice(["in_memory", "24h"], ["in_memory"]),
  service_tier: choice(
    ["auto", "default", "flex", "scale", "priority", "fast", "ultrafast"],
    ["auto", "default"],
  ),
};

/** In responses it is a field of `text`. */
export const VERBOSITY = choice(["low", "medium", "high"], ["medium"]);

/**
 * @throws {ApiError} 400 `unsupported_parameter`; as from {@link validate} for a value that OpenAI does not take either
 */
export function refuseUnsupported(body: Record<string, unknown>, refusals: Refusals): void {
  for (const [name, { schema, isIdle }] of Object.entries(refusals)) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    validate(z.object({ [name]: schema }), { [name]: value });
    if (isIdle(value)) continue;
    throw badRequest(
      "unsupported_parameter",
      name,
      `Unsupported parameter: '${name}' with this value is not supported by this runtime.`,
    );
  }
}

/** @throws {ApiError} 400 for stream options without `stream` */
export function requireStreamForOptions(params: { stream?: unknown; stream_options?: unknown }): void {
  if (!params.stream_options || params.stream) return;
  throw badRequest(
    "invalid_value",
    "stream_options",
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  );
}
