/**
 * Serves the built package under a Content Security Policy that allows only its own origin, and collects
 * violation reports: `foreign` lists every request to another origin, from a page or a worker at any depth.
 */

import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, resolve } from "node:path";
import { contentTypes } from "../../src/bundlers/content-types.ts";
import { serveVariant } from "./gguf/serve-variants.ts";

const root = resolve(import.meta.dirname, "../..");

const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "report-uri /report",
].join("; ");

/** URL that the control test requests. */
export const LEAK = "http://elsewhere.test/leak";

const OWN_FILES: Record<string, string> = {
  "/": `<!doctype html><title>test</title><script type="module" src="/boot.js"></script>`,
  "/boot.js": `import { createRuntime } from "/index.js"; globalThis.createRuntime = createRuntime;`,
  "/leak.js": `fetch("${LEAK}", { mode: "no-cors" }).catch(() => {}).then(() => postMessage("tried"));`,
  "/keep.js": `addEventListener("activate", (event) => event.waitUntil(clients.claim()));
    addEventListener("fetch", (event) => {
      const { request } = event;
      if (request.method !== "GET") return;
      event.respondWith(caches.open("kept").then(async (cache) => {
        const kept = await cache.match(request);
        if (kept) return kept;
        const response = await fetch(request);
        if (response.ok) await cache.put(request, response.clone());
        return response;
      }));
    });`,
  "/print.js": `console.warn("printed by " + (location.hash || "#worker")); if (!location.hash) new Worker("/print.js#nested");`,
};

export interface WatchedServer {
  origin: string;
  /** Paths requested from this server. */
  own: string[];
  /** URLs that the policy blocked. */
  foreign: string[];
  close(): Promise<void>;
}

/** Changes scripts as they are served, by path. Read with each request. */
export type ScriptEdits = Record<string, (code: string) => string>;

/**
 * @param isolated whether pages are cross-origin isolated, as WASM threads require
 * @param more directives, for pages and workers
 */
export async function startWatchedServer(
  isolated: boolean,
  edits: Readonly<ScriptEdits> = {},
  more = "",
): Promise<WatchedServer> {
  const own: string[] = [];
  const foreign: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://self").pathname;
    if (path === "/report") {
      void readReport(request).then((address) => foreign.push(address));
      response.writeHead(204).end();
      return;
    }
    own.push(path);
    response.setHeader("content-security-policy", POLICY + more);
    void answer(path, { isolated, edit: edits[path] }, request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    own,
    foreign,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

async function readReport(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const report = JSON.parse(Buffer.concat(chunks).toString()) as { "csp-report": { "blocked-uri": string } };
  return report["csp-report"]["blocked-uri"];
}

async function answer(
  path: string,
  { isolated, edit }: { isolated: boolean; edit: ScriptEdits[string] | undefined },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (isolated) {
    response.setHeader("cross-origin-opener-policy", "same-origin");
    response.setHeader("cross-origin-embedder-policy", "require-corp");
    response.setHeader("cross-origin-resource-policy", "same-origin");
  }
  if (path.startsWith("/gguf-hub/") && (await serveVariant(request, response))) return;
  const file = join(root, path.startsWith("/fixtures/") ? "test" : "dist", normalize(path));
  try {
    const bytes = OWN_FILES[path] ?? (await readFile(file));
    response.setHeader("content-type", contentTypes[path === "/" ? ".html" : extname(path)] ?? "");
    const whole = edit ? edit(bytes.toString()) : bytes;
    response.end(request.method === "HEAD" ? undefined : whole);
  } catch {
    response.writeHead(404).end();
  }
}
