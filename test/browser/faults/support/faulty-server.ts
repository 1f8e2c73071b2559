/** Serves the built package under `/package/`, with faults and headers that a test sets. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { setTimeout } from "node:timers/promises";
import { closeServer, listen } from "../../../../scripts/servers/static-server.ts";
import { contentTypes } from "../../../../src/bundlers/content-types.ts";
import { distFolder } from "../../../../vite.config.ts";
import { serveVariant } from "../../../support/gguf/serve-variants.ts";

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Closes the connection without a response. */
  isCut?: boolean;
  /** How late it comes. */
  afterMs?: number;
}

export interface FaultyServer {
  origin: string;
  /** Requested paths. */
  asked: Set<string>;
  /** Overrides parts of the response to a path, by what asks (`sec-fetch-dest`). Undefined leaves it unchanged. */
  fault: (path: string, bytes: Buffer, destination: unknown) => Reply | undefined;
  close(): Promise<void>;
}

/** What a single-page app's server returns for an unknown path. */
export const HTML: Reply = {
  headers: { "content-type": "text/html; charset=utf-8" },
  body: '<!doctype html><html lang="en"><title>An app</title><div id="app"></div></html>',
};
export const MISSING: Reply = { status: 404, headers: { "content-type": "text/plain" }, body: "Not found" };

const PAGE = '<!doctype html><title>test</title><script type="module" src="/boot.js"></script>';
const BOOT = 'import { createRuntime } from "/package/index.js"; globalThis.createRuntime = createRuntime;';

export async function startFaultyServer(): Promise<FaultyServer> {
  const asked = new Set<string>();
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://self").pathname);
    asked.add(path);
    if (path.startsWith("/gguf-hub/") && (await serveVariant(request, response))) return;
    const file = path.startsWith("/package/") ? join(distFolder, path.slice("/package/".length)) : undefined;
    const found = file === undefined ? undefined : await readFile(file).catch(() => undefined);
    const own = path === "/" ? PAGE : path === "/boot.js" ? BOOT : undefined;
    const bytes = own === undefined ? found : Buffer.from(own);
    const usual: Reply = bytes === undefined ? MISSING : { body: bytes };
    const { status, headers, body, isCut, afterMs }: Reply = {
      ...usual,
      ...started.fault(path, bytes ?? Buffer.alloc(0), request.headers["sec-fetch-dest"]),
    };
    if (afterMs) await setTimeout(afterMs);
    if (isCut) return void response.destroy();
    const type = contentTypes[own === PAGE ? ".html" : extname(path)] ?? "application/octet-stream";
    response.writeHead(status ?? 200, { "content-type": type, ...headers });
    response.end(request.method === "HEAD" ? undefined : body);
  });
  const started: FaultyServer = {
    origin: await listen(server, 0),
    asked,
    fault: () => undefined,
    close: () => closeServer(server),
  };
  return started;
}
