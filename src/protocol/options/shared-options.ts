/** Options that pages must share to use one server. Other options are the leader page's, or per page. */

import type { ServerOptions } from "./server-options.ts";

/** Options that determine what a server can answer, and its ledger. */
function decisive(options: ServerOptions): Record<string, unknown> {
  const {
    maxQueuedRequests,
    parallel,
    memoryBudgetBytes,
    keepAliveMs,
    strict,
    samplingDefaults,
    parseSpecialTokens,
    billing,
    ...rest
  } = options;
  return { ...rest, ledger: billing ? billing.storageName : false };
}

/**
 * Key that is equal for compatible options. Ignores the clock offset: two servers with different clocks on one ledger
 * are worse than a rejected page.
 */
export function sharedBy(options: ServerOptions): string {
  const { clockOffsetMs, ...rest } = decisive(options);
  return JSON.stringify(rest);
}

/** Public option names that differ from the internal ones. */
const PUBLIC_NAMES: Record<string, string> = {
  clockOffsetMs: "testing.clockOffsetMs",
  engineURLs: "assetsURL",
  ledger: "billing",
};

/** Public names of the options in which `own` and `others` conflict. */
export function conflictingOptions(own: ServerOptions, others: ServerOptions): string[] {
  const [mine, theirs] = [decisive(own), decisive(others)];
  return Object.keys({ ...mine, ...theirs })
    .filter((name) => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]))
    .map((name) => PUBLIC_NAMES[name] ?? name);
}
