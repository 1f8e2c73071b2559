/** Chat models of the hub for which web-llm has a compiled library (`prebuiltAppConfig`, read by the build). */

import { hubFolder } from "./hub-folder.ts";
import type { ChatModelRecord } from "./model-record.ts";

/**
 * One model, compact: its repository at `mlc-ai` without `-MLC`, the memory it needs in MB, its library without
 * `-webgpu.wasm` (0: its name and `_cs1k`), the context of that memory, further configuration overrides, and the
 * bytes of its largest GPU buffer, if the list states them.
 */
export type PrebuiltRow = [
  name: string,
  memoryMB: number,
  library: string | 0,
  contextWindow: number,
  overrides?: Record<string, number>,
  bufferBytes?: number,
];

export interface PrebuiltManifest {
  /** Folder of the libraries, with a trailing slash. */
  libraries: string;
  models: readonly PrebuiltRow[];
}

/** Filled in by the build (`scripts/build.ts`, `define`). */
declare const __PREBUILT_MODELS__: PrebuiltManifest;

/** Date of this catalogue, 2026-11-21: the hub's own dates are not known offline. */
export const CATALOGUE_CREATED = 1_795_219_200;

/** @param librariesURL of a mirror of the model libraries, with a trailing slash */
export function prebuiltModels(librariesURL = __PREBUILT_MODELS__.libraries): PrebuiltManifest {
  return { ...__PREBUILT_MODELS__, libraries: librariesURL };
}

/**
 * The record of `mlc-ai/<name>-MLC`, or undefined for a model without a library.
 *
 * @param hubURL base URL of the weights, with a trailing slash
 */
export function prebuiltRecord(
  hubName: string,
  hubURL: string,
  manifest: PrebuiltManifest,
): ChatModelRecord | undefined {
  const name = /^mlc-ai\/(.+)-MLC$/.exec(hubName)?.[1];
  const row = manifest.models.find(([listed]) => listed === name);
  if (!row) return undefined;
  const [, memoryMB, library, contextWindow, overrides, bufferBytes] = row;
  return {
    id: hubName,
    kind: "chat",
    created: CATALOGUE_CREATED,
    ownedBy: "mlc-ai",
    baseModel: hubName,
    contextWindow,
    memoryBytes: memoryMB * 1_000_000,
    builds: {
      webllm: {
        ...hubFolder(hubURL, hubName),
        known: [],
        library: `${manifest.libraries}${library || `${name}_cs1k`}-webgpu.wasm`,
        ...(overrides ? { overrides } : {}),
        memoryAt: { contextWindow, bytes: memoryMB * 1_000_000 },
        // f16 kernels do not compile without it, whatever web-llm's list says.
        features: /f16/.test(name!) ? ["shader-f16"] : [],
        ...(bufferBytes === undefined ? {} : { bufferBytes }),
      },
    },
  };
}
