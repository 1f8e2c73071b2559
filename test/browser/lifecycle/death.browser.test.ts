import { createRuntime, type Runtime, type RuntimeOptions } from "infetch";
import { afterEach, describe, expect, test } from "vitest";
import { startRuntime, withWorker } from "../../compliance/support/page-server.ts";
import { freshLedgerName } from "../billing/support/frames.ts";

const RealWorker = globalThis.Worker;
const workers: Worker[] = [];
let runtime: Runtime;

afterEach(() => {
  runtime?.close();
  workers.length = 0;
});

/** Records each server worker, so that a test can terminate it. */
class WatchedWorker extends RealWorker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, options);
    workers.push(this);
  }
}

/** Uses a page-local server; `test/tabs` covers shared servers. */
async function start(options: RuntimeOptions = {}): Promise<void> {
  runtime = await withWorker(WatchedWorker, () => createRuntime({ shared: false, ...options }));
}

function chat(changes: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Response> {
  const messages = [{ role: "user", content: "Hello!" }];
  return runtime.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${runtime.apiKey}` },
    body: JSON.stringify({ model: "infetch-tiny", messages, max_tokens: 3, temperature: 0, ...changes }),
    ...(signal ? { signal } : {}),
  });
}

async function listModels(): Promise<number> {
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  return (await runtime.fetch("/v1/models", { headers })).status;
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** The checkpoint of the one reply that runs, read directly from the ledger. */
async function checkpoint(storageName: string): Promise<{ output_tokens: number }> {
  const database = await done(indexedDB.open(`${storageName}-ledger`));
  const rows = await done(database.transaction("inflight").objectStore("inflight").getAll());
  database.close();
  return rows[0];
}

/** A stream that outlasts every test. */
const long = { n: 100, max_tokens: 100, temperature: 1, stream: true };

test("a server that dies fails what is pending and open; the next request starts another, with the same key", async () => {
  const storageName = freshLedgerName();
  await start({ storageName });
  const loading = chat();
  const alsoLoading = runtime.models.load("infetch-tiny");
  workers[0]!.terminate();
  await expect(loading).rejects.toMatchObject({ name: "WorkerLostError", code: "worker_lost" });
  await expect(alsoLoading).rejects.toMatchObject({ name: "WorkerLostError" });
  await withWorker(WatchedWorker, async () => expect(await listModels()).toBe(200));
  expect(workers).toHaveLength(2);

  const stream = await chat(long);
  const reader = stream.body!.getReader();
  await reader.read();
  await expect.poll(() => checkpoint(storageName)).toBeDefined();
  const queued = chat();
  workers[1]!.terminate();
  const rest = (async () => {
    while (!(await reader.read()).done);
  })();
  await expect(rest).rejects.toMatchObject({ name: "WorkerLostError" });
  await expect(queued).rejects.toMatchObject({ name: "WorkerLostError" });
  const { output_tokens: outputTokens } = await checkpoint(storageName);
  expect(await listModels()).toBe(200);
  const { choices } = await (await chat()).json();
  expect(choices[0].message.content.length).toBeGreaterThan(0);
  const requestId = stream.headers.get("x-request-id");
  await expect
    .poll(() => runtime.usage.list())
    .toMatchObject([{ requestId, outcome: "interrupted", outputTokens }, { outcome: "completed" }]);
});

describe("close()", () => {
  test("rejects everything that is pending, open or asked for later", async () => {
    await start();
    const [loading, waiting] = [runtime.models.load("infetch-tiny"), chat(long)];
    runtime.close();
    const closed = { name: "RuntimeClosedError", code: "runtime_closed" };
    await expect(loading).rejects.toMatchObject(closed);
    await expect(waiting).rejects.toMatchObject(closed);
    await start();
    const response = await chat(long);
    const clone = response.clone();
    const queued = chat();
    const reading = response.text();
    runtime.close();
    runtime.close();
    await expect(queued).rejects.toMatchObject(closed);
    await expect(reading).rejects.toMatchObject(closed);
    await expect(clone.text()).rejects.toMatchObject(closed);
    await expect(listModels()).rejects.toMatchObject(closed);
    await expect(runtime.models.load("infetch-tiny")).rejects.toMatchObject(closed);
  });

  test("leaves no lock and passes other addresses on", async () => {
    await start();
    runtime.close();
    // A string, which a failure shows whole.
    const locks = async () => (await navigator.locks.query()).held?.map(({ name }) => name).join(" ");
    await expect.poll(locks).toBe("");
    expect((await runtime.fetch("/package/models/")).url).toContain("/package/models/");
  });
});

describe("a start that fails", () => {
  test("a script that does not load", async () => {
    class Missing extends RealWorker {
      constructor() {
        super("/package/worker/no-such-script.js", { type: "module" });
      }
    }
    const starting = withWorker(Missing, () => createRuntime());
    await expect(starting).rejects.toMatchObject({ code: "assets_not_found" });
  });

  test.each([
    ["options that the server cannot use", { modelsURL: "::" }, "WorkerLostError"],
    ["a server of other options", undefined, "RuntimeOptionsConflictError"],
  ])("%s", async (_, changes, name) => {
    class Tampered extends RealWorker {
      override postMessage(message: { options: object }, transfer?: unknown): void {
        const options = { ...message.options, ...(changes ?? { another: 1 }) };
        super.postMessage({ ...message, options }, transfer as Transferable[]);
      }
    }
    await expect(withWorker(Tampered, () => createRuntime())).rejects.toMatchObject({ name });
  });

  test("a server of another version", async () => {
    const error = { name: "ProtocolVersionError", code: "protocol_version", message: "reload" };
    const starting = startRuntime(() => new Response(), {}, { ok: false, error });
    await expect(starting).rejects.toMatchObject(error);
  });
});
