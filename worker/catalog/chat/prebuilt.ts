/** Chat models of the hub for which web-llm has a compiled library (`prebuiltAppConfig`, read by the build). */

import { hubFolder } from "../hub/hub-folder.ts";
import type { ChatModelRecord } from "../model-record.ts";

/** One model in its quantizations. */
export interface PrebuiltModel {
  /** By quantization, such as `q4f16_1`. */
  memoryMB: Readonly<Record<string, number>>;
  /** The model whose libraries it uses. @default itself */
  library?: string;
  /** End of its libraries' names. @default "cs1k" */
  variant?: string;
  /** The context of that memory. @default 4096 */
  contextWindow?: number;
  /** Further configuration. */
  overrides?: Readonly<Record<string, number>>;
  /** Of its largest GPU buffer, if the list states it. */
  bufferBytes?: number;
}

export interface PrebuiltManifest {
  /** Folder of the libraries, with a trailing slash. */
  libraries: string;
  /** By repository at `mlc-ai`, without quantization and `-MLC`. */
  models: Readonly<Record<string, PrebuiltModel>>;
}

/** What most models have; the build leaves it out. */
export const USUAL = { variant: "cs1k", contextWindow: 4096 } as const;

/** Filled in by the build (`scripts/build.ts`, `define`), which writes it wherever the name is used: here only. */
declare const __PREBUILT_MODELS__: PrebuiltManifest;

/** Date of this catalogue, 2026-11-21: the hub's own dates are not known offline. */
export const CATALOGUE_CREATED = 1_795_219_200;

/** @param librariesURL of a mirror of the model libraries, with a trailing slash */
export function prebuiltModels(librariesURL?: string): PrebuiltManifest {
  const manifest = __PREBUILT_MODELS__;
  return librariesURL ? { ...manifest, libraries: librariesURL } : manifest;
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
  const [, name = "", quantization = ""] = /^mlc-ai\/(.+)-(q\w+)-MLC$/.exec(hubName) ?? [];
  const model = Object.hasOwn(manifest.models, name) ? manifest.models[name] : undefined;
  const memoryMB = model?.memoryMB[quantization];
  if (!model || memoryMB === undefined) return undefined;
  const { library = name, variant, contextWindow, overrides, bufferBytes } = { ...USUAL, ...model };
  const memoryBytes = memoryMB * 1_000_000;
  return {
    id: hubName,
    kind: "chat",
    created: CATALOGUE_CREATED,
    ownedBy: "mlc-ai",
    baseModel: hubName,
    contextWindow,
    memoryBytes,
    builds: {
      webllm: {
        ...hubFolder(hubURL, hubName),
        known: [],
        library: `${manifest.libraries}${library}-${quantization}_${variant}-webgpu.wasm`,
        ...(overrides ? { overrides } : {}),
        memoryAt: { contextWindow, bytes: memoryBytes },
        // f16 kernels do not compile without it, whatever web-llm's list says.
        features: quantization.includes("f16") ? ["shader-f16"] : [],
        ...(bufferBytes === undefined ? {} : { bufferBytes }),
      },
    },
  };
}
