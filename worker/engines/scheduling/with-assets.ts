/** Reports a missing or forbidden asset file as the cause of a failed engine load. */

import { type AssetKind, findAssetFault } from "../../../src/protocol/assets/asset-fault.ts";
import { ASSETS_NOT_FOUND } from "../../../src/protocol/assets/assets.ts";
import { EngineError } from "../../engine-api/engine-error.ts";

export type Asset = readonly [url: string, kind: AssetKind];

/** Check the assets of a load that takes longer than this: libraries can hang on a file that failed to load. */
const SILENCE_MS = 5_000;

/** The smallest valid module. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/**
 * Checks that WebAssembly is allowed, before anything is downloaded.
 *
 * @param url of the file that needs WebAssembly
 * @throws {EngineError} `assets_not_found`
 */
export function requireWebAssembly(url: string): void {
  try {
    new WebAssembly.Module(EMPTY_MODULE);
  } catch (error) {
    throw new EngineError(
      ASSETS_NOT_FOUND,
      `${url} did not load: the browser or the Content-Security-Policy forbids WebAssembly (${(error as Error).message}). Allow 'wasm-unsafe-eval' in script-src, for the workers too. See docs/packaging.md.`,
    );
  }
}

/**
 * Runs a load and, if it fails or hangs, checks its assets for the cause.
 *
 * @param assets files that the load reads
 * @throws {EngineError} `assets_not_found` if an asset is the cause; otherwise the load's own error
 */
export async function withAssets<T>(assets: readonly Asset[], load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stuck = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      void findFault(assets).then((fault) => fault && reject(fault));
    }, SILENCE_MS);
  });
  const loading = load();
  try {
    return await Promise.race([loading, stuck]);
  } catch (error) {
    loading.catch(() => {});
    if (error instanceof EngineError) throw error;
    throw (await findFault(assets)) ?? error;
  } finally {
    clearTimeout(timer);
  }
}

async function findFault(assets: readonly Asset[]): Promise<EngineError | undefined> {
  const faults = await Promise.all(assets.map(([url, kind]) => findAssetFault(url, kind)));
  const fault = faults.find((one) => one !== undefined);
  return fault === undefined ? undefined : new EngineError(ASSETS_NOT_FOUND, fault);
}
