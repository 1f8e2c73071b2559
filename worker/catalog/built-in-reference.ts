/** Self-test texts of the built-in embedding model with correct vectors: a part, as only its load needs them. */

import type { ReferenceVector } from "../engine-api/embedding-model.ts";

/** Filled in by the build (`scripts/build.ts`, `define`). */
declare const __BUILT_IN_REFERENCE__: readonly ReferenceVector[];

export const BUILT_IN_REFERENCE = __BUILT_IN_REFERENCE__;
