/** Error messages for invalid names of hub models, to follow the name. Only parts of the server need them. */

import { type HubNameFault, hubNameFault, MAX_REVISION_LENGTH, revisionFault } from "./hub-name.ts";

const WORDS: Record<HubNameFault, string> = {
  colon:
    "a hub name has no ':'; the quantisation of a GGUF model is chosen by its file, the option 'file' of a deployment",
  repository: "a hub name has letters, digits, '.', '_' and '-' before and after its '/'",
  emptyRevision: "a revision must not be empty",
  longRevision: `a revision has at most ${MAX_REVISION_LENGTH} characters`,
  revision: "a revision is the name of a branch or tag, or a commit",
};

/** Undefined for a valid name, and for one that has not the form of a hub name. */
export function hubNameError(name: string): string | undefined {
  const fault = hubNameFault(name);
  return fault && WORDS[fault];
}

/** Undefined for a valid revision. */
export function revisionError(revision: string): string | undefined {
  const fault = revisionFault(revision);
  return fault && WORDS[fault];
}
