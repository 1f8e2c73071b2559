/** Messages of zod/mini, which has none by default: for the parts that show them. */

import { en } from "zod/locales";
import type * as z from "zod/mini";

const { localeError: error } = en();

/** What is wrong with a value, and where, in English; undefined if the schema accepts it. */
export function firstIssue(schema: z.ZodMiniType, value: unknown): z.core.$ZodIssue | undefined {
  return schema.safeParse(value, { error }).error?.issues[0];
}
