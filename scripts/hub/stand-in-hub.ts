/**
 * A stand-in for the Hugging Face hub, for tests and `npm run hub`: its addresses, redirects, headers and errors, as
 * observed in 2026. The CDN has its own origin.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type HubRefusal, type HubTokens, refusalOf } from "./access.ts";
import { cachedAddress, readAddress } from "./addresses.ts";
import { SignedFiles } from "./cdn.ts";
import { describeModel, treePage } from "./model-api.ts";
import type { HubFile, HubRepository } from "./repository.ts";
import { type HubFault, sendFile } from "./send-file.ts";

interface SeenRequest {
  host: "hub" | "cdn";
  method: string;
  path: string;
  range: string | undefined;
  authorization: string | undefined;
}

export interface StandInHubOptions {
  /** @default any free port */
  port?: number;
  tokens?: HubTokens;
  /** Milliseconds. @default the system's clock */
  now?: () => number;
}

const EXPOSED =
  "X-Repo-Commit,X-Request-Id,X-Error-Code,X-Error-Message,X-Total-Count,ETag,Link,Accept-Ranges,Content-Range,X-Linked-Size,X-Linked-ETag,X-Xet-Hash";

export class StandInHub {
  readonly repositories: Map<string, HubRepository>;
  /** All requests, in order. */
  seen: SeenRequest[] = [];
  /** Path suffix → faults of the next matching requests, in order. Those of a body happen where it is sent. */
  readonly faults = new Map<string, HubFault[]>();
  /** Called before each request is answered. */
  onRequest: (request: SeenRequest) => void = () => {};
  /** Whether there is an API; mirrors of the files alone have none. */
  hasApi = true;
  /** Entries in one page of a tree. */
  pageEntries = 1000;
  readonly #tokens: HubTokens;
  readonly #signed: SignedFiles;
  readonly #hub: Server;
  readonly #cdn: Server;

  private constructor(repositories: readonly HubRepository[], { tokens, now }: StandInHubOptions) {
    this.repositories = new Map(repositories.map((one) => [one.name, one]));
    this.#tokens = tokens ?? new Map();
    this.#signed = new SignedFiles(now ?? Date.now);
    this.#hub = createServer((request, response) => {
      if (isReadable(request, response)) void this.#answer(request, response);
    });
    this.#cdn = createServer((request, response) => {
      if (!isReadable(request, response)) return;
      this.#note("cdn", request);
      void this.#signed.serve(request, response, (path) => this.#takeFault(path, true));
    });
  }

  static async start(
    repositories: readonly HubRepository[],
    options: StandInHubOptions = {},
  ): Promise<StandInHub> {
    const hub = new StandInHub(repositories, options);
    await Promise.all([listen(hub.#hub, options.port ?? 0), listen(hub.#cdn, 0)]);
    return hub;
  }

  /** With a trailing slash. */
  get url(): string {
    return `${originOf(this.#hub)}/`;
  }

  get cdnOrigin(): string {
    return originOf(this.#cdn);
  }

  async close(): Promise<void> {
    for (const server of [this.#hub, this.#cdn]) {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path: pathname } = this.#note("hub", request);
    setCorsHeaders(request, response);
    if (request.method === "OPTIONS") return void response.writeHead(200).end();
    const fault = this.#takeFault(pathname, false);
    if (fault?.type === "status") return void response.writeHead(fault.status, fault.headers).end();
    const url = new URL(request.url ?? "/", this.url);
    const address = readAddress(url.pathname);
    const area = address?.type === "model" || address?.type === "tree" ? "api" : "files";
    if (!address || (area === "api" && !this.hasApi)) {
      return void response.writeHead(404, { "content-type": "text/html" }).end("<!doctype html>404");
    }
    const { name, revision, path } = address;
    const repository = this.repositories.get(name);
    const refusal = refusalOf(repository, name, request.headers.authorization, this.#tokens, area);
    if (refusal) return refuse(response, refusal);
    const found = repository!.resolve(revision);
    if (!found) {
      return refuse(response, {
        status: 404,
        code: "RevisionNotFound",
        message: `Invalid rev id: ${revision}`,
      });
    }
    response.setHeader("x-repo-commit", found.commit);
    const of = { hubURL: this.url, repository: repository!, revision, ...found };
    if (address.type === "model") return sendJson(response, describeModel(of));
    if (address.type === "tree") {
      const page = treePage(of, Number(url.searchParams.get("cursor") ?? 0), this.pageEntries);
      return sendJson(response, page.body, page.headers);
    }
    const file = found.files.get(path);
    if (!file) return refuse(response, { status: 404, code: "EntryNotFound", message: "Entry not found" });
    response.setHeader("accept-ranges", "bytes");
    response.setHeader("content-disposition", `inline; filename="${path.split("/").at(-1)}";`);
    if (address.type === "resolve") {
      if (file.isLarge) return this.#redirectToCdn(response, file, pathname);
      response.setHeader("x-linked-etag", `"${file.oid}"`);
      const location = cachedAddress(name, found.commit, path, file.oid);
      return void response.writeHead(307, { location }).end();
    }
    const headers = { "content-type": "text/plain; charset=utf-8", etag: `"${file.oid}"` };
    await sendFile(request, response, file, headers, this.#takeFault(pathname, true));
  }

  #redirectToCdn(response: ServerResponse, file: HubFile, pathname: string): void {
    response.setHeader("x-linked-size", file.bytes);
    response.setHeader("x-linked-etag", `"${file.sha256}"`);
    response.writeHead(302, { location: this.cdnOrigin + this.#signed.sign(file, pathname) }).end();
  }

  #note(host: SeenRequest["host"], request: IncomingMessage): SeenRequest {
    const { range, authorization } = request.headers;
    const path = decodeURIComponent(new URL(request.url ?? "/", this.url).pathname);
    const seen = { host, method: request.method ?? "GET", path, range, authorization };
    this.seen.push(seen);
    this.onRequest(seen);
    return seen;
  }

  /** @param isBody whether a body is about to be sent; faults of a status come before */
  #takeFault(path: string, isBody: boolean): HubFault | undefined {
    const ending = [...this.faults.keys()].find((one) => path.endsWith(one));
    const faults = ending === undefined ? undefined : this.faults.get(ending);
    return (faults?.[0]?.type === "status") === isBody ? undefined : faults?.shift();
  }
}

/** Answers 400 to an address that cannot be decoded. */
function isReadable({ url = "/" }: IncomingMessage, response: ServerResponse): boolean {
  try {
    decodeURIComponent(new URL(url, "http://hub").pathname);
    return true;
  } catch {
    response.writeHead(400).end("Malformed address.");
    return false;
  }
}

function setCorsHeaders(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", request.headers.origin ?? "https://huggingface.co");
  response.setHeader("access-control-expose-headers", EXPOSED);
  response.setHeader("access-control-max-age", "86400");
  response.setHeader("vary", "Origin");
  if (request.method !== "OPTIONS") return;
  response.setHeader("access-control-allow-methods", "GET,HEAD,PUT,POST,DELETE,PATCH");
  // No `If-Range`: a page that sends it is refused.
  response.setHeader("access-control-allow-headers", "Authorization,Content-Type,Range");
}

function refuse(response: ServerResponse, { status, code, message }: HubRefusal): void {
  if (code !== undefined) response.setHeader("x-error-code", code);
  response.setHeader("x-error-message", message);
  if (status === 401) response.setHeader("www-authenticate", 'Bearer realm="Authentication required"');
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(message);
}

function sendJson(response: ServerResponse, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(200, { ...headers, "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((listening, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", listening);
  });
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
