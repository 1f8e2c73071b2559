import { expose } from "comlink";
import { afterEach, expect, test, vi } from "vitest";
import type { EngineConnectMessage } from "../../../../worker/engine-api/engine-wire.ts";
import { EngineWorker } from "../../../../worker/engines/scheduling/engine-worker.ts";
import { fakeTimeouts, SlowResponse } from "../../../fakes/slow-response.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("an engine's script of another release is fetched to its end, however long it takes", async () => {
  fakeTimeouts();
  const script = new SlowResponse();
  const given: unknown[] = [];
  vi.stubGlobal("fetch", async (url: string, { signal, cache }: RequestInit = {}) => {
    if (cache !== "reload" || script.part) return new Response("script");
    given.push(url);
    return script.respond(signal!);
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
  while (!script.part) await new Promise((resume) => setImmediate(resume));
  for (let minute = 0; minute < 5; minute++) {
    await vi.advanceTimersByTimeAsync(60_000);
    expect({ aborts: script.aborts, ends }).toEqual({ aborts: 0, ends: [] });
    script.part.enqueue(new Uint8Array(1_000));
    await new Promise((resume) => setImmediate(resume));
  }
  script.part.close();
  vi.useRealTimers();
  await failed;
  expect(given).toEqual(["https://app.test/engine.js"]);
});
