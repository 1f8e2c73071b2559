/** Why a file of the package does not load. The diagnosis itself loads with the first fault; no call rejects. */

import type { AssetKind } from "../../src/protocol/asset-fault.ts";
import { forbidden, unexplained } from "../../src/protocol/assets.ts";
import { withinLimit } from "../../src/protocol/awake-timeout.ts";

/** Time for the diagnosis to load, and to find something. */
const LIMIT_MS = 60_000;

type Diagnosis = typeof import("../../src/protocol/asset-fault.ts");

function diagnose<T>(find: (diagnosis: Diagnosis) => T | Promise<T>): Promise<T> {
  const found = import("../../src/protocol/asset-fault.ts").then(find);
  return withinLimit(found, LIMIT_MS, () => new Error("The diagnosis takes too long."));
}

/** Undefined if the file loads, or nothing can be said. */
export function fileFault(url: string, kind: AssetKind): Promise<string | undefined> {
  return diagnose(({ findAssetFault }) => findAssetFault(url, kind, forbidden)).catch(() => undefined);
}

/**
 * Why a worker did not start; undefined if its script loaded and failed by itself.
 *
 * @param reason the browser's error message, if any
 */
export function startFault(url: string, reason: string | undefined): Promise<string | undefined> {
  return diagnose(({ explainStart }) => explainStart(url, reason, forbidden)).catch(() =>
    reason ? undefined : unexplained(url),
  );
}

/** For a worker's file that is not of the entry's release. */
export function versionFault(url: string, version: string): Promise<string> {
  return diagnose(({ explainVersion }) => explainVersion(url, version)).catch(
    () => `${url} is of another version of infetch.`,
  );
}
