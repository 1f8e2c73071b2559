/** Loopback file server for the demo, the hosted page and tests. */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { contentTypes } from "../../src/bundlers/content-types.ts";

/**
 * Minimal policy for the pages: no other origin, no inline script, no framing.
 *
 * @param allowed additional `connect-src` sources
 */
function contentSecurityPolicy(allowed: readonly string[] = []): string {
  return [
    "default-src 'self'",
    // Engines compile WebAssembly; `eval` stays forbidden.
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    ["connect-src 'self'", ...allowed].join(" "),
    "img-src 'self' data:",
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

/** Path prefix (`/`, `/infetch/`) → folder. The longest match wins. */
type Mounts = Record<string, string>;

/** Serves one request from the folders: 200, 304 if unchanged, 404, or 405 for methods other than GET and HEAD. */
export async function serveFile(mounts: Mounts, request: IncomingMessage, response: ServerResponse) {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return sendText(response, 405, "Only GET and HEAD.", { allow: "GET, HEAD" });
  }
  const path = fileFor(mounts, request.url ?? "/");
  const stats = path ? await stat(path).catch(() => undefined) : undefined;
  if (!path || !stats?.isFile()) return sendText(response, 404, "There is nothing here.");
  const etag = `"${stats.size.toString(36)}-${Math.trunc(stats.mtimeMs).toString(36)}"`;
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304, { ...HEADERS, etag }).end();
    return;
  }
  const type = contentTypes[extname(path)] ?? "application/octet-stream";
  response.writeHead(200, { ...HEADERS, etag, "content-type": type, "content-length": stats.size });
  if (request.method === "HEAD") response.end();
  // A client that disconnects midway is not an error.
  else await pipeline(createReadStream(path), response).catch(() => {});
}

function fileFor(mounts: Mounts, address: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(new URL(address, "http://loopback").pathname);
  } catch {
    return undefined;
  }
  const prefix = Object.keys(mounts)
    .filter((candidate) => path.startsWith(candidate))
    .sort((a, b) => b.length - a.length)[0];
  if (prefix === undefined || path.includes("\0")) return undefined;
  const folder = mounts[prefix]!;
  const file = normalize(join(folder, path.slice(prefix.length)));
  if (file !== normalize(folder) && !file.startsWith(normalize(folder) + sep)) return undefined;
  return path.endsWith("/") ? join(file, "index.html") : file;
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
) {
  response
    .writeHead(status, { ...HEADERS, ...headers, "content-type": "text/plain; charset=utf-8" })
    .end(`${text}\n`);
}

/**
 * Creates a server of `mounts` that is not yet listening.
 *
 * @param allowed as in {@link contentSecurityPolicy}
 */
export function createStaticServer(mounts: Mounts, allowed: readonly string[] = []): Server {
  const policy = contentSecurityPolicy(allowed);
  return createServer((request, response) => {
    response.setHeader("content-security-policy", policy);
    void serveFile(mounts, request, response);
  });
}

/**
 * Listens on loopback only. Resolves with the URL, without a trailing slash.
 *
 * @param port 0 picks a free port
 * @throws if the port is in use, with instructions
 */
export function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") return reject(error);
      reject(
        new Error(`Port ${port} is taken. Choose another one with --port, or --port 0 for any free one.`),
      );
    });
    server.listen(port, "127.0.0.1", () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

/** Closes the server and all open connections. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
