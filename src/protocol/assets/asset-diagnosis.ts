/** Why a file of the package does not load. `asset-fault.ts` loads with the first such file; no call rejects. */

import { withinLimit } from "../liveness/awake-timeout.ts";
import type { AssetKind } from "./asset-fault.ts";
import { forbidden, unexplained } from "./assets.ts";

/** The network that a file fails on may leave the diagnosis without an answer, too. */
const LIMIT_MS = 60_000;

type Diagnosis = typeof import("./asset-fault.ts");

function diagnose<T>(find: (diagnosis: Diagnosis) => T | Promise<T>, otherwise: T): Promise<T> {
  const found = import("./asset-fault.ts").then(find);
  return withinLimit(found, LIMIT_MS, () => new Error("late")).catch(() => otherwise);
}

/** Undefined if the file loads, or nothing can be said. */
export function fileFault(url: string, kind: AssetKind): Promise<string | undefined> {
  return diagnose(({ findAssetFault }) => findAssetFault(url, kind, forbidden), undefined);
}

/**
 * Why a worker did not start; undefined if its script loaded and failed by itself.
 *
 * @param reason the browser's error message, if any
 */
export function startFault(url: string, reason: string | undefined): Promise<string | undefined> {
  return diagnose(
    ({ explainStart }) => explainStart(url, reason, forbidden),
    reason ? undefined : unexplained(url),
  );
}

/** For a worker's file that is not of the entry's release. */
export function versionFault(url: string, version: string | undefined): Promise<string> {
  return diagnose(
    ({ explainVersion }) => explainVersion(url, version),
    `${url} is of another version of infetch.`,
  );
}
