/** Serves the built package, and an empty page, to a browser that a test drives itself. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, resolve } from "node:path";
import { contentTypes } from "../../../../scripts/content-types.ts";

const root = resolve(import.meta.dirname, "../../../..");

export interface PackageServer {
  origin: string;
  close(): void;
}

/** Extra folders are served beside the package: `/<name>/…` from their path. */
export async function servePackage(folders: Record<string, string> = {}): Promise<PackageServer> {
  const served: Record<string, string> = { package: join(root, "dist"), ...folders };
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://package").pathname);
    const [, folder = "", ...rest] = path.split("/");
    try {
      const base = served[folder];
      const isPage = base === undefined;
      const body = isPage ? "<!doctype html><title>page</title>" : await readFile(join(base, ...rest));
      response.setHeader(
        "content-type",
        contentTypes[isPage ? ".html" : extname(path)] ?? "application/octet-stream",
      );
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
