import { afterEach, expect, test, vi } from "vitest";
import { explainStart, findAssetFault } from "../../../src/protocol/assets/asset-fault.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("files of the machine that built the app are not fetched: the message names the plugins", async () => {
  vi.stubGlobal("location", new URL("http://localhost:3000/chat"));
  vi.stubGlobal("fetch", () => expect.unreachable());
  const url = "file:///app/node_modules/infetch/dist/worker/server.js";
  const message = await explainStart(url, undefined, new Map());
  expect(message).toMatch(`${url} did not load: it is a path on the machine that built the app. `);
  expect(message).toContain("plugins: [infetch()]");
  // Vite's builds give workers none of the app's plugins.
  expect(message).toContain('worker: { format: "es", plugins: () => [infetch()] }');
  expect(message).toContain("plugins: [new InfetchPlugin()]");
  expect(message).toContain("npx infetch copy <folder>");
});

test("a file that is missing beside a page from a file, as in Electron: the message names the plugins", async () => {
  vi.stubGlobal("location", { protocol: "file:", origin: new URL("file:///app/index.html").origin });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const message = await explainStart("file:///app/worker/server.js", undefined, new Map());
  expect(message).toContain("it cannot be fetched (Failed to fetch). With Vite, add plugins: [infetch()]");
  const engine = await findAssetFault("file:///app/worker/webllm.js", "worker", new Map());
  expect(engine).toContain("The app's output lacks the engine webllm.");
});

test.each([403, 500, 503])("a server that responds with %i: the file may be there", async (status) => {
  vi.stubGlobal("location", new URL("http://localhost:3000/chat"));
  vi.stubGlobal("fetch", async () => new Response("", { status }));
  const message = await findAssetFault("http://localhost:3000/worker/webllm.js", "worker", new Map());
  expect(message).toContain(`the server responded with ${status}. Check what the server reports`);
  expect(message).not.toContain("lacks");
});

test.each(["webllm", "llamacpp", "transformers"])(
  "a missing %s.js: the message names engines",
  async (name) => {
    vi.stubGlobal("location", new URL("http://localhost:3000/chat"));
    vi.stubGlobal("fetch", async () => new Response("", { status: 404 }));
    const message = await findAssetFault(`http://localhost:3000/worker/${name}.js`, "worker", new Map());
    expect(message).toContain(`the server responded with 404. The app's output lacks the engine ${name}. `);
    expect(message).toContain(`Add "${name}" to engines of the plugin`);
    expect(message).not.toContain("plugins: [infetch()]");
    const server = await findAssetFault("http://localhost:3000/worker/server.js", "worker", new Map());
    expect(server).toContain("plugins: [infetch()]");
  },
);

test("an engine for which a single-page app's server sends its page: the message names engines", async () => {
  vi.stubGlobal("location", new URL("http://localhost:3000/chat"));
  vi.stubGlobal("fetch", async () => new Response("<!doctype html>"));
  const message = await findAssetFault("http://localhost:3000/worker/transformers.js", "worker", new Map());
  expect(message).toContain("sent an HTML page instead. The app's output lacks the engine transformers.");
});

test("a file without a type: a fault over HTTP, and none in a web view's own scheme", async () => {
  const find = (page: string) => {
    vi.stubGlobal("location", { protocol: page.split("//")[0], origin: new URL(page).origin });
    vi.stubGlobal("fetch", async () => new Response(new TextEncoder().encode("export {};")));
    return findAssetFault(`${page}/infetch/part.js`, "module", new Map());
  };
  expect(await find("http://localhost:3000")).toContain('it is served as ""');
  expect(await find("tauri://localhost")).toBeUndefined();
});

test("files on another origin, as from a CDN or a remote of Module Federation: the message names assetsURL", async () => {
  vi.stubGlobal("location", new URL("http://localhost:3000/chat"));
  vi.stubGlobal("fetch", () => expect.unreachable());
  const message = await explainStart("http://localhost:4000/infetch/worker/server.js", undefined, new Map());
  expect(message).toContain("it is on another origin");
  expect(message).toContain("(npx infetch copy <folder>), and set assetsURL to the URL of that folder");
});

/** Serves a script in pieces with a pause before each; the last never comes if it `stalls`. */
function slowServer(pauseMs: number, pieces: number, stalls = false): void {
  vi.stubGlobal("location", new URL("http://localhost:3000/chat"));
  vi.stubGlobal("fetch", async (_url: string, { signal }: { signal: AbortSignal }) => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent++ < pieces) {
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
          controller.enqueue(new TextEncoder().encode("void 0;"));
        } else if (stalls)
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        else controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/javascript" } });
  });
}

test("a slow network is no fault, however long a file takes", async () => {
  vi.useFakeTimers();
  slowServer(20_000, 30);
  const fault = findAssetFault("http://localhost:3000/worker/webllm.js", "worker", new Map());
  await vi.advanceTimersByTimeAsync(700_000);
  expect(await fault).toBeUndefined();
});

test("a file of which no more arrives is named after half a minute", async () => {
  vi.useFakeTimers();
  slowServer(20_000, 2, true);
  const fault = findAssetFault("http://localhost:3000/worker/webllm.js", "worker", new Map());
  await vi.advanceTimersByTimeAsync(71_000);
  expect(await fault).toMatch(
    "http://localhost:3000/worker/webllm.js did not load: it cannot be fetched (nothing arrived for 30 s). ",
  );
});

test("a policy of Trusted Types is named, not worker-src", async () => {
  slowServer(0, 1);
  const url = "http://localhost:3000/worker/server.js";
  const forbidden = new Map([["trusted-types-sink", "require-trusted-types-for"]]);
  const message = await explainStart(url, "", forbidden);
  expect(message).toContain("has require-trusted-types-for 'script'");
  expect(message).not.toContain("worker-src");
  expect(await explainStart(url, "", new Map())).toContain("worker-src");
});
