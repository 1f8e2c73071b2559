/** Locations of model files: types only. */

import type { Parallel } from "../../src/protocol/parallel.ts";

/** The builds of one chat model, by engine. */
export interface ChatBuilds {
  webllm?: ModelFiles;
  llamacpp?: GgufFiles;
}

/** A repository of a hub with an API, which names its commits and the sizes and hashes of its files. */
export interface HubSource {
  /** Base URL of the hub, with a trailing slash. */
  url: string;
  /** `<org>/<model>` */
  repository: string;
  /** Branch, tag or commit. */
  revision: string;
  /** Access token; added when an engine starts. */
  token?: string;
}

/** Memory that the engine of a model may use, when its load begins. */
export interface MemoryRoom {
  /** Not used by the other models in memory. */
  freeBytes: number;
  /** Held by other models that are idle and can be evicted. */
  idleBytes: number;
  /** Left after idle models are evicted; Infinity if the budget is an estimate. */
  mostBytes: number;
}

/** What decides the context window of a chat model, besides its own files. */
export interface ContextSettings {
  /** Tokens shared by prompt and reply, refused if they do not fit. @default what fits, at most 8,192 */
  contextWindow?: number;
  /** The publisher's limit. @default the one in the model's files */
  maxContextWindow?: number;
  /** Added when the engine starts. @default unlimited */
  room?: MemoryRoom;
}

/** Location of a GGUF model. */
export interface GgufFiles extends ContextSettings {
  /** Source folder, with a trailing slash. */
  sourceURL: string;
  /** Where the source folder is a hub's. */
  hub?: HubSource;
  /** Cache URL prefix that contains the version, with a trailing slash. */
  cacheURL: string;
  /** The file or its ordered parts, with sizes and hashes if known. None: one that the hub lists is chosen. */
  parts: readonly ModelFile[];
  /** Turns images into tokens; `auto` is the repository's own `mmproj` file. @default none: images are refused */
  projector?: ModelFile | "auto";
  /** More than one requires cross-origin isolation. @default derived from the device's cores */
  threads?: number;
  /** The graphics card that computes, chosen when an engine starts. @default none: WebAssembly computes */
  gpu?: LlamaCppGPU;
}

/** Properties of a WebGPU adapter that llama.cpp needs. */
export interface LlamaCppGPU {
  /** Vendor, architecture and description. */
  name: string;
  /** The adapter's `maxStorageBufferBindingSize`: no tensor in its memory is larger. */
  maxTensorBytes: number;
}

/** Locations of the files of an MLC build. */
export interface ModelFiles extends ContextSettings {
  /** Source folder, with a trailing slash. */
  sourceURL: string;
  /** Where the source folder is a hub's. */
  hub?: HubSource;
  /** Cache URL prefix ending in `/resolve/main/`. It contains the version, so new weights never mix with old ones. */
  cacheURL: string;
  /** Files known before the download, with sizes and hashes. */
  known: readonly ModelFile[];
  /** Whether files that are not in `known` are refused. */
  isSealed?: boolean;
  /** File name of the model library, relative to `sourceURL`, or its absolute URL. */
  library: string;
  /** Overrides of the model's configuration, with web-llm's field names. */
  overrides?: Readonly<Record<string, number>>;
  /** GPU memory at one context window, as web-llm's list has it. @default estimated from the size of the weights */
  memoryAt?: { contextWindow: number; bytes: number };
  /** Required WebGPU features, for example `shader-f16`. */
  features?: readonly string[];
  /** Replies that run concurrently. @default the runtime's option, added when the engine starts */
  parallel?: Parallel;
  /** Size of its largest GPU buffer, if known. */
  bufferBytes?: number;
  /** Why it runs instead of the model's first choice: `adapter lacks shader-f16`. */
  insteadBecause?: string;
}

export interface ModelFile {
  name: string;
  bytes: number;
  /** Hexadecimal SHA-256; a file with another hash is refused. */
  sha256?: string;
  /** Hexadecimal SHA-1 of the file as a git object; used where no SHA-256 is published. */
  gitOid?: string;
  /** Whether a stored copy is trusted if it was stored with this hash, instead of being hashed at every load. */
  isHashedOnce?: boolean;
}

/** Cache addresses of a model's files. */
export interface ModelAddresses {
  id: string;
  /** Address prefixes of files that belong to this model only. */
  folders: readonly string[];
  /** Addresses of files that other models may share. */
  shared: readonly string[];
}
