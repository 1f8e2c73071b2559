import * as z from "zod/mini";
import { type ApiError, badRequest } from "../../http/api-error.ts";
import { validate } from "../../http/validation/validate.ts";
import { shown, supported } from "../../http/validation/values-in-errors.ts";

/** An OpenAI parameter of which this runtime supports no value, or only those that request nothing. */
interface Refusal {
  /** What OpenAI takes. */
  schema: z.ZodMiniType;
  /**
   * Returns the error for a value that would otherwise be silently dropped.
   *
   * @param path of the parameter
   */
  refuse(value: unknown, path: string): ApiError | undefined | Promise<ApiError | undefined>;
}

export type Refusals = Readonly<Record<string, Refusal>>;

const anyObject = z.record(z.string(), z.unknown());

/** A parameter that takes one of `values`, of which only `honored` are supported. */
export function choice(values: readonly string[], honored: readonly string[]): Refusal {
  return oneOf(z.enum(values), honored);
}

/** A parameter with values of `schema`, of which only `honored` are supported. */
function oneOf(schema: z.ZodMiniType, honored: readonly unknown[]): Refusal {
  return {
    schema,
    refuse: (value, path) => (honored.includes(value) ? undefined : unsupportedValue(path, value, honored)),
  };
}

/** A list of `values`, of which only `honored` are supported. */
export function listOf(values: readonly string[], honored: readonly string[]): Refusal {
  return {
    schema: z.array(z.enum(values)),
    refuse(value, path) {
      const refused = (value as string[]).find((one) => !honored.includes(one));
      return refused === undefined ? undefined : unsupportedValue(path, refused, honored);
    },
  };
}

/** An object that may have only these fields. */
export function objectOf(fields: Refusals): Refusal {
  return {
    schema: anyObject,
    async refuse(value, path) {
      const object = value as Record<string, unknown>;
      const unknown = Object.keys(object).find(
        (name) => !Object.hasOwn(fields, name) && object[name] !== null,
      );
      if (unknown !== undefined) return unsupportedParameter(`${path}.${unknown}`);
      await refuseUnsupported(object, fields, `${path}.`);
      return undefined;
    },
  };
}

/** Refused whatever it contains, unless that `isIdle`: it requests nothing. */
export function unsupported(
  schema: z.ZodMiniType,
  isIdle: (value: unknown) => boolean = () => false,
): Refusal {
  return { schema, refuse: (value, path) => (isIdle(value) ? undefined : unsupportedParameter(path)) };
}

export const UNSUPPORTED_OBJECT = unsupported(anyObject);

/** A flag that may only be false. */
export const ONLY_FALSE = oneOf(z.boolean(), [false]);

/** Parameters of chats and responses. */
export const SHARED_REFUSALS: Refusals = {
  moderation: UNSUPPORTED_OBJECT,
  prompt_cache_options: objectOf({
    mode: choice(["implicit", "explicit"], ["implicit"]),
    ttl: choice(["30m", "12h"], ["30m"]),
    prewarm: ONLY_FALSE,
  }),
  /** The longest that a prompt may be kept, so that no value asks for anything. */
  prompt_cache_retention: choice(["in_memory", "24h"], ["in_memory", "24h"]),
  service_tier: choice(
    ["auto", "default", "flex", "scale", "priority", "fast", "ultrafast"],
    ["auto", "default"],
  ),
};

/** In responses it is a field of `text`. */
export const VERBOSITY = choice(["low", "medium", "high"], ["medium"]);

/**
 * @param prefix of the names in errors
 * @throws {ApiError} 400 `unsupported_parameter` or `unsupported_value`; as from {@link validate} for a value that
 * OpenAI does not take either
 */
export async function refuseUnsupported(
  body: Record<string, unknown>,
  refusals: Refusals,
  prefix = "",
): Promise<void> {
  for (const [name, { schema, refuse }] of Object.entries(refusals)) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    const path = prefix + name;
    await validate(z.object({ [path]: schema }), { [path]: value });
    const refused = await refuse(value, path);
    if (refused) throw refused;
  }
}

function unsupportedParameter(path: string): ApiError {
  return badRequest(
    "unsupported_parameter",
    path,
    `Unsupported parameter: '${path}' is not supported by this runtime.`,
  );
}

/** The 400 for a value of OpenAI's that this runtime does not support. */
export function unsupportedValue(path: string, value: unknown, honored: readonly unknown[]): ApiError {
  return badRequest(
    "unsupported_value",
    path,
    `Unsupported value: '${path}' does not support ${shown(value)} in this runtime. ${supported(honored)}`,
  );
}
