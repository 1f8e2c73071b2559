import { expose } from "comlink";
import { afterEach, expect, test, vi } from "vitest";
import type { EngineConnectMessage } from "../../../../worker/engines/api/engine-wire.ts";
import { EngineWorker } from "../../../../worker/engines/scheduling/engine-worker.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("an engine's script of another release is fetched to its end, however long it takes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const late = new AbortController();
    setTimeout(() => late.abort(), ms);
    return late.signal;
  });
  let part: ReadableStreamDefaultController<Uint8Array> | undefined;
  const given: unknown[] = [];
  let aborts = 0;
  vi.stubGlobal("fetch", async (url: string, { signal, cache }: RequestInit = {}) => {
    if (cache !== "reload" || part) return new Response("script");
    given.push(url);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        part = controller;
      },
    });
    signal!.addEventListener("abort", () => {
      aborts++;
      part!.error(signal!.reason);
    });
    return new Response(body);
  });
  vi.stubGlobal(
    "Worker",
    class {
      postMessage({ port }: EngineConnectMessage): void {
        expose({ ready: async () => "0.0.1" }, port);
      }
      terminate(): void {}
    },
  );
  const ends: string[] = [];
  const starting = EngineWorker.start({
    workerURL: "https://app.test/engine.js",
    name: "engine",
    serverLock: "lock",
    onEnd: (_, code) => ends.push(code),
  });
  const failed = expect(starting).rejects.toMatchObject({ code: "assets_of_another_version" });
  while (!part) await new Promise((resume) => setImmediate(resume));
  for (let minute = 0; minute < 5; minute++) {
    await vi.advanceTimersByTimeAsync(60_000);
    expect({ aborts, ends }).toEqual({ aborts: 0, ends: [] });
    part.enqueue(new Uint8Array(1_000));
    await new Promise((resume) => setImmediate(resume));
  }
  part.close();
  vi.useRealTimers();
  await failed;
  expect(given).toEqual(["https://app.test/engine.js"]);
});
