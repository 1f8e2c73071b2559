/** Schema of stored deployments: IndexedDB may hold anything. */

import * as z from "zod/mini";
import { isParallel, type Parallel } from "../../../src/protocol/parallel.ts";
import { isFileName } from "../../engine-api/file-name.ts";
import type { RowSchema } from "../../storage/row-schema.ts";
import type { StoredDeployment } from "./stored-deployment.ts";

const MAX_SECONDS = Date.UTC(9999, 11, 1) / 1000;
const file = z.string().check(z.refine(isFileName));

// Without `file` or `engine`, a row counts as one that has null.
const deployment = z.object({
  name: z.string().check(z.minLength(1)),
  model: z.string().check(z.minLength(1)),
  file: z.nullish(file),
  projector: z.nullish(file),
  contextWindow: z.nullable(z.int().check(z.minimum(1))),
  engine: z.nullish(z.enum(["webllm", "llamacpp", "transformers"])),
  keepLoaded: z.boolean(),
  tools: z.nullish(z.literal("generic")),
  samplingDefaults: z.nullish(z.enum(["api", "model"])),
  parseSpecialTokens: z.nullish(z.boolean()),
  parallel: z.nullish(z.custom<Parallel>(isParallel)),
  created: z.int().check(z.minimum(0), z.maximum(MAX_SECONDS)),
}) satisfies RowSchema<Omit<StoredDeployment, "file" | "engine">>;

/** Whether a stored deployment can be used. */
export function isValidDeployment(row: unknown): row is StoredDeployment {
  return deployment.safeParse(row).success;
}
