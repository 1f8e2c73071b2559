import { expect, test, vi } from "vitest";
import type { Timers } from "../../../worker/clock.ts";
import { type CompileRequest, compileRequest } from "../../../worker/generation/schemas/compile-request.ts";
import { SchemaCompiler } from "../../../worker/generation/schemas/schema-compiler.ts";

/** A schema worker that replies only on `answer()`. */
class FakeWorker {
  onmessage: (event: { data: unknown }) => void = () => {};
  onerror: (event: { message: string; preventDefault(): void }) => void = () => {};
  terminated = false;
  readonly asked: string[] = [];

  postMessage(text: string): void {
    this.asked.push(text);
  }

  terminate(): void {
    this.terminated = true;
  }

  answer(): void {
    this.onmessage({ data: { result: compileRequest(JSON.parse(this.asked.at(-1)!)) } });
  }
}

function compilerOn() {
  const workers: FakeWorker[] = [];
  const due: (() => void)[] = [];
  const timers: Timers = {
    after(_, call) {
      due.push(call);
      return () => due.splice(due.indexOf(call), 1);
    },
  };
  const start = () => {
    workers.push(new FakeWorker());
    return workers.at(-1) as unknown as Worker;
  };
  return { compiler: new SchemaCompiler("https://app.test/schemas.js", timers, start), workers, due };
}

const NEVER = new AbortController().signal;
const object: CompileRequest = { tools: [], format: { type: "json_object" } };
const tool: CompileRequest = {
  tools: [{ type: "function", function: { name: "f", parameters: {} } }],
  format: { type: "text" },
};

test("one request at a time, in one worker, in turn", async () => {
  const { compiler, workers, due } = compilerOn();
  const answers = [compiler.compile(object, NEVER), compiler.compile(tool, NEVER)];
  await expect.poll(() => workers[0]?.asked.length).toBe(1);
  workers[0]!.answer();
  expect(await answers[0]).toMatchObject({ ok: true, format: { type: "json_object" } });
  await expect.poll(() => workers[0]?.asked.length).toBe(2);
  workers[0]!.answer();
  expect(await answers[1]).toMatchObject({ ok: true, tools: [{ name: "f" }] });
  expect(workers).toHaveLength(1);
  expect(due).toEqual([]);
});

test("a worker that does not answer in time is ended, the request refused, the next one served", async () => {
  const { compiler, workers, due } = compilerOn();
  const answers = [compiler.compile(tool, NEVER), compiler.compile(object, NEVER)];
  await expect.poll(() => due.length).toBe(1);
  due[0]!();
  expect(await answers[0]).toMatchObject({ ok: false, param: "tools", code: "invalid_function_parameters" });
  expect(workers[0]!.terminated).toBe(true);
  await expect.poll(() => workers[1]?.asked.length).toBe(1);
  workers[1]!.answer();
  expect(await answers[1]).toMatchObject({ ok: true });
});

test("an aborted request is not compiled any more, whether it runs or waits, and the next one is served", async () => {
  const { compiler, workers, due } = compilerOn();
  const [running, waiting] = [new AbortController(), new AbortController()];
  const answers = [
    compiler.compile(object, running.signal),
    compiler.compile(tool, waiting.signal),
    compiler.compile(object, NEVER),
  ];
  await expect.poll(() => workers[0]?.asked.length).toBe(1);
  waiting.abort("left");
  await expect(answers[1]).rejects.toBe("left");
  running.abort("stopped");
  await expect(answers[0]).rejects.toBe("stopped");
  expect(workers[0]!.terminated).toBe(true);
  await expect.poll(() => workers[1]?.asked).toEqual([JSON.stringify(object)]);
  workers[1]!.answer();
  expect(await answers[2]).toMatchObject({ ok: true });
  expect(workers).toHaveLength(2);
  expect(due).toEqual([]);
});

test("a worker that does not load is an error by code, and is started again for the next request", async () => {
  const { compiler, workers } = compilerOn();
  const failing = compiler.compile(object, NEVER);
  await expect.poll(() => workers.length).toBe(1);
  workers[0]!.onerror({ message: "", preventDefault() {} });
  await expect(failing).rejects.toMatchObject({ code: "part_unavailable" });
  const next = compiler.compile(object, NEVER);
  await expect.poll(() => workers[1]?.asked.length).toBe(1);
  workers[1]!.answer();
  expect(await next).toMatchObject({ ok: true });
});

test("a task that crashes its worker is no file that does not load: a batch would wait for it", async () => {
  const script = () => new Response("start();", { headers: { "content-type": "text/javascript" } });
  const served = vi.spyOn(globalThis, "fetch").mockImplementation(async () => script());
  vi.stubGlobal("location", new URL("https://app.test/"));
  const { compiler, workers } = compilerOn();
  const crashing = compiler.compile(object, NEVER).catch((error) => error);
  await expect.poll(() => workers.length).toBe(1);
  workers[0]!.onerror({ message: "out of memory", preventDefault() {} });
  await expect.poll(() => workers[1]?.asked.length).toBe(1);
  workers[1]!.onerror({ message: "out of memory", preventDefault() {} });
  const { message, code } = await crashing;
  served.mockRestore();
  vi.unstubAllGlobals();
  expect([message, code]).toEqual(["The schema worker failed: out of memory.", undefined]);
});

test("a worker that crashes after it has loaded is replaced once, and the request compiled there", async () => {
  const { compiler, workers, due } = compilerOn();
  const compiled = compiler.compile(object, NEVER);
  await expect.poll(() => workers[0]?.asked.length).toBe(1);
  workers[0]!.onmessage({ data: "loaded" });
  // Without a reason, as the browser ends a worker.
  workers[0]!.onerror({ message: "", preventDefault() {} });
  await expect.poll(() => workers[1]?.asked).toEqual([JSON.stringify(object)]);
  workers[1]!.answer();
  expect(await compiled).toMatchObject({ ok: true });
  const crashing = compiler.compile(tool, NEVER).catch((error) => error);
  await expect.poll(() => workers[1]!.asked.length).toBe(2);
  // It has compiled one already.
  workers[1]!.onerror({ message: "", preventDefault() {} });
  await expect.poll(() => workers[2]?.asked.length).toBe(1);
  workers[2]!.onmessage({ data: "loaded" });
  workers[2]!.onerror({ message: "", preventDefault() {} });
  expect((await crashing).message).toBe("The schema worker failed: without a reason.");
  expect(workers).toHaveLength(3);
  expect(due).toEqual([]);
});

test("a request deeper than the stack is refused at once", async () => {
  const { compiler, workers } = compilerOn();
  const schema = JSON.parse(`${'{"items":'.repeat(100_000)}{}${"}".repeat(100_000)}`);
  const format = { type: "json_schema" as const, name: "deep", schema, strict: true };
  expect(await compiler.compile({ tools: [], format }, NEVER)).toMatchObject({
    ok: false,
    code: "invalid_json_schema",
  });
  expect(workers).toHaveLength(0);
});

test("an error of a worker that was ended does not end the next one", async () => {
  const { compiler, workers } = compilerOn();
  const stopped = new AbortController();
  const answers = [compiler.compile(object, stopped.signal), compiler.compile(tool, NEVER)];
  await expect.poll(() => workers[0]?.asked.length).toBe(1);
  stopped.abort("stopped");
  await expect(answers[0]).rejects.toBe("stopped");
  await expect.poll(() => workers[1]?.asked.length).toBe(1);
  workers[0]!.onerror({ message: "late", preventDefault() {} });
  expect(workers[1]!.terminated).toBe(false);
  workers[1]!.answer();
  expect(await answers[1]).toMatchObject({ ok: true });
});

test("a request that cannot be sent to the worker leaves no timer that would end it", async () => {
  const { compiler, workers, due } = compilerOn();
  const first = compiler.compile(object, NEVER);
  await expect.poll(() => workers[0]?.asked.length).toBe(1);
  workers[0]!.answer();
  await first;
  workers[0]!.postMessage = () => {
    throw new DOMException("Data cannot be cloned, out of memory.", "DataCloneError");
  };
  await expect(compiler.compile(tool, NEVER)).rejects.toThrow("out of memory");
  expect(due).toEqual([]);
});

test("a worker that fails without a reason is named, also if its diagnosis does not load", async () => {
  vi.doMock("../../../src/protocol/assets/asset-fault.ts", () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  const { compiler, workers } = compilerOn();
  const answer = compiler.compile(object, NEVER).catch((error) => error);
  await expect.poll(() => workers[0]?.asked.length).toBe(1);
  workers[0]!.onerror({ message: "", preventDefault() {} });
  const { code, message } = await answer;
  vi.doUnmock("../../../src/protocol/assets/asset-fault.ts");
  expect(code).toBe("part_unavailable");
  expect(message).toContain("https://app.test/schemas.js did not load.");
});
