/** What the servers of the browser tests serve beside the tests: the built package, hubs and models. */

import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import type { Plugin } from "vite";
import { contentTypes } from "../../src/bundlers/content-types.ts";
import { serveVariant } from "./gguf/serve-variants.ts";
import { serveRepository } from "./onnx/serve-repositories.ts";
import { singleEngineWorker } from "./single-engine/serve.ts";

const root = join(import.meta.dirname, "../..");

/** Serves models under `/mendable/<id>/` as 404 until a POST to `/mendable/<id>/mend`. */
function mendableModels(): Plugin {
  const mended = new Set<string>();
  return {
    name: "infetch-mendable-models",
    configureServer(server) {
      server.middlewares.use("/mendable", (request, response, next) => {
        const [, id = "", path = ""] = /^\/([^/]+)\/(.*)$/.exec(request.url ?? "") ?? [];
        if (request.method === "POST") mended.add(id);
        response.statusCode = request.method === "POST" ? 204 : mended.has(id) ? 302 : 404;
        if (response.statusCode === 302) response.setHeader("location", `/package/models/${path}`);
        if (id) response.end();
        else next();
      });
    },
  };
}

/**
 * Folders served unmodified to tests, but for one worker: `/single-engine` is the package on web-llm's chat API, and so
 * is `/package` in the project `single-engine`. Missing files are a 404.
 */
const SERVED = {
  "/package": "dist",
  "/single-engine": "dist",
  "/fixtures": "test/fixtures",
  "/weights": "models",
};

/** A hub of GGUF models under `/gguf-hub/`. */
function ggufHub(): Plugin {
  return {
    name: "infetch-gguf-hub",
    configureServer(server) {
      server.middlewares.use("/gguf-hub", async (request, response) => {
        if (await serveVariant(request, response)) return;
        response.statusCode = 404;
        response.end();
      });
    },
  };
}

/** A hub of ONNX embedding models under `/onnx-hub/`, with an API. */
function onnxHub(): Plugin {
  return {
    name: "infetch-onnx-hub",
    configureServer(server) {
      server.middlewares.use("/onnx-hub", async (request, response) => {
        if (await serveRepository(request, response, `http://${request.headers.host}/onnx-hub/`)) return;
        response.statusCode = 404;
        response.end();
      });
    },
  };
}

/** Serves the build unmodified and resolves `infetch` to it, so that tests run the shipped workers. */
function builtPackage(project: string): Plugin {
  const singleEngine = project === "single-engine" ? ["/package", "/single-engine"] : ["/single-engine"];
  return {
    name: "infetch-built-package",
    enforce: "pre",
    resolveId(id) {
      if (id === "infetch") return { id: "/package/index.js", external: true };
      if (id === "infetch/install") return { id: "/package/install.js", external: true };
      // Served through Vite, so that it shares the test's copy of comlink.
      if (id === "infetch/port") return join(root, "dist/port.js");
      return undefined;
    },
    configureServer(server) {
      for (const [prefix, folder] of Object.entries(SERVED)) {
        server.middlewares.use(prefix, async (request, response) => {
          const path = normalize(new URL(request.url ?? "/", "http://package").pathname);
          try {
            const isReplaced = singleEngine.includes(prefix) && path === "/worker/webllm.js";
            const bytes = await (isReplaced ? singleEngineWorker() : readFile(join(root, folder, path)));
            response.setHeader("content-type", contentTypes[extname(path)] ?? "application/octet-stream");
            response.end(bytes);
          } catch {
            response.statusCode = 404;
            response.end();
          }
        });
      }
    },
  };
}

/** Of one suite's server. @param project its name */
export function servedPlugins(project: string): Plugin[] {
  return [builtPackage(project), mendableModels(), ggufHub(), onnxHub()];
}
