/**
 * Diagnoses why a package file does not load: URL, cause and remedy. Browsers report a failed worker without a
 * reason, so the file is fetched again; CSP violations are recorded as they occur.
 */

import { PACKAGE_VERSION } from "../package-version.ts";
import { forbidden as noted } from "./assets.ts";

/** `worker`: a worker's entry script. `module`: an imported script. */
export type AssetKind = "worker" | "module" | "wasm";

/** A file of which nothing arrives for so long counts as not loadable. How long the whole takes is not limited. */
const STALL_MS = 30_000;

const EMIT =
  'With Vite, add plugins: [infetch()] (import { infetch } from "infetch/vite") and, for a runtime inside a worker, worker: { format: "es", plugins: () => [infetch()] }; with webpack, Rspack or Rsbuild, plugins: [new InfetchPlugin()] (import { InfetchPlugin } from "infetch/webpack"). Otherwise run npx infetch copy <folder>, and set assetsURL to the URL of that folder';

/** Worker of an engine; named as in `engines`. */
const ENGINE = /\/worker\/(webllm|llamacpp|transformers)\.js$/;

type Forbidden = ReadonlyMap<string, string>;

/** What a violation of `require-trusted-types-for` names instead of a URL. */
const TRUSTED_TYPES = "trusted-types-sink";

/**
 * Describes what is wrong with a file, including its URL and the remedy; undefined if nothing is.
 *
 * @param forbidden CSP violations so far; pass the caller's if this module is a separate copy
 */
export async function findAssetFault(
  url: string,
  kind: AssetKind,
  forbidden: Forbidden = noted,
): Promise<string | undefined> {
  const [address, found, remedy] = (await diagnose({ url, kind, forbidden, seen: new Set() })) ?? [];
  return found && `${address} did not load: ${found}. ${remedy}. See docs/packaging.md.`;
}

/**
 * Explains why a worker did not start; undefined if its script loaded and failed by itself.
 *
 * @param reason the browser's error message, if any: it means that the script ran
 */
export async function explainStart(
  url: string,
  reason: string | undefined,
  forbidden: Forbidden = noted,
): Promise<string | undefined> {
  const fault = await findAssetFault(url, "worker", forbidden);
  if (fault || reason) return fault;
  if (forbidden.has(TRUSTED_TYPES)) {
    return `${url} did not start: the Content-Security-Policy has require-trusted-types-for 'script'. Add infetch and default to its trusted-types, or let createScriptURL() of your policy "default" return the URLs of the package's workers. See docs/security.md.`;
  }
  return `${url} did not start: the file exists, but the browser refuses to run it. Allow it in the Content-Security-Policy (worker-src 'self'), and serve it with the page's Cross-Origin-Embedder-Policy, if it has one. See docs/packaging.md.`;
}

/** Explains that a worker's file is not of the entry's release. */
export function explainVersion(url: string, version = "an earlier version"): string {
  return `${url} is of infetch ${version}, the page's code of ${PACKAGE_VERSION}. Copy the package's files again (npx infetch copy <folder>), or use a plugin (infetch/vite, infetch/webpack); if they are current, clear the caches in between. If the app was updated while the page was open, reload the page. See docs/packaging.md.`;
}

type Fault = [address: string, found: string, remedy: string];

/** A file to diagnose. */
interface Asset {
  url: string;
  kind: AssetKind;
  /** CSP violations so far. */
  forbidden: Forbidden;
  /** Files that are diagnosed already: modules may import each other. */
  seen: Set<string>;
}

async function diagnose(asset: Asset): Promise<Fault | undefined> {
  const { url, kind } = asset;
  asset.seen.add(url);
  const early = faultOfAddress(asset) ?? faultOfPolicy(asset);
  if (early) return early;
  let response: Response;
  let bytes: Uint8Array;
  try {
    [response, bytes] = await load(url, kind === "wasm");
  } catch (error) {
    return faultOfPolicy(asset) ?? faultOfFetch(url, error as Error);
  }
  const text = new TextDecoder().decode(bytes);
  const fault = faultOfResponse(asset, response, text);
  return fault || kind === "wasm" ? fault : faultOfImports(asset, text);
}

function faultOfAddress({ url, kind }: Asset): Fault | undefined {
  const { protocol, origin } = new URL(url);
  // Bundlers other than Vite and esbuild replace `import.meta.url` by the path of the module.
  if (protocol === "file:" && location.protocol !== protocol)
    return [url, "it is a path on the machine that built the app", EMIT];
  if (kind !== "worker" || origin === location.origin) return undefined;
  const found = "it is on another origin, and browsers start workers only from the page's own";
  const remedy =
    "Copy the package's files there (npx infetch copy <folder>), and set assetsURL to the URL of that folder";
  return [url, found, remedy];
}

function faultOfPolicy({ url, forbidden }: Asset): Fault | undefined {
  const directive = forbidden.get(url);
  if (directive === undefined) return undefined;
  return [url, `the Content-Security-Policy forbids it (${directive})`, `Allow it in ${directive}`];
}

/** An engine starts after the server's own files have loaded, so only the engine is missing. */
function remedyOfMissing(url: string): string {
  const [, engine] = ENGINE.exec(new URL(url).pathname) ?? [];
  if (!engine) return EMIT;
  return `The app's output lacks the engine ${engine}. Add "${engine}" to engines of the plugin (infetch/vite, infetch/webpack) or to --engines of npx infetch copy; without engines, all are included`;
}

function faultOfFetch(url: string, { message }: Error): Fault {
  // From a file, as in Electron, one that is missing has no status.
  const remedy =
    new URL(url).protocol === "file:"
      ? remedyOfMissing(url)
      : "Check the connection, and that CORS and the Cross-Origin-Embedder-Policy allow the page to read it";
  return [url, `it cannot be fetched (${message})`, remedy];
}

function faultOfResponse({ url, kind }: Asset, response: Response, text: string): Fault | undefined {
  const fault = (found: string, remedy = remedyOfMissing(url)): Fault => [url, found, remedy];
  const { status, ok, headers } = response;
  if (status === 404 || status === 410) return fault(`the server responded with ${status}`);
  if (!ok)
    return fault(`the server responded with ${status}`, "Check what the server reports about this file");
  if (/^\s*<(!|html)/i.test(text)) return fault("the server sent an HTML page instead");
  if (kind === "wasm") return text.startsWith("\0asm") ? undefined : fault("the response is not WebAssembly");
  if (text.trim() === "") return fault("the file is empty");
  const type = headers.get("content-type") ?? "";
  // Web views find the type of a file of their own scheme themselves.
  const isTyped = type !== "" || /^https?:/.test(url);
  if (isTyped && !/^(text|application)\/(x-)?(java|ecma)script\b/i.test(type))
    return fault(`it is served as "${type}"`, "Serve it as text/javascript");
  if (kind === "worker" && globalThis.crossOriginIsolated && !headers.has("cross-origin-embedder-policy"))
    return fault(
      "the page is cross-origin isolated, and the file is not",
      "Serve it with Cross-Origin-Embedder-Policy: require-corp",
    );
  return undefined;
}

/** The first fault of what a module imports. */
async function faultOfImports(asset: Asset, text: string): Promise<Fault | undefined> {
  for (const [, name] of text.matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g)) {
    const imported = new URL(name!, asset.url).href;
    const fault = asset.seen.has(imported)
      ? undefined
      : await diagnose({ ...asset, url: imported, kind: "module" });
    if (fault) return fault;
  }
  return undefined;
}

/** @param isStart whether the first chunk is enough: the file may be megabytes long */
async function load(url: string, isStart: boolean): Promise<[Response, Uint8Array]> {
  const stalled = new AbortController();
  const reason = new Error(`nothing arrived for ${STALL_MS / 1_000} s`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => stalled.abort(reason), STALL_MS);
  };
  watch();
  try {
    const response = await fetch(url, { signal: stalled.signal });
    const reader = response.body?.getReader();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (let next = await reader?.read(); next && !next.done; next = await reader!.read()) {
      watch();
      chunks.push(next.value);
      if (isStart) break;
    }
    reader?.cancel().catch(() => {});
    return [response, new Uint8Array(await new Blob(chunks).arrayBuffer())];
  } finally {
    clearTimeout(timer);
  }
}
