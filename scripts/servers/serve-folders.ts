/** Serves folders and an empty page to a test or benchmark browser. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { contentTypes } from "../../src/bundlers/content-types.ts";

export interface FolderServer {
  origin: string;
  close(): void;
}

const PAGE = "<!doctype html><title>infetch</title>";

/** Serves `/<name>/…` from the folder of that name, and an empty page elsewhere, on a free port. */
export async function serveFolders(folders: Record<string, string>): Promise<FolderServer> {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://folders").pathname);
    const [, name = "", ...rest] = path.split("/");
    const folder = folders[name];
    try {
      const body = folder === undefined ? PAGE : await readFile(join(folder, ...rest));
      const type = contentTypes[folder === undefined ? ".html" : extname(path)];
      response.setHeader("content-type", type ?? "application/octet-stream");
      response.end(body);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://localhost:${port}`, close: () => server.close() };
}
