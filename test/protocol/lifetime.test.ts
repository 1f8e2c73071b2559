import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Lifetime } from "../../src/protocol/liveness/lifetime.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("a call settles as it would alone", async () => {
  const lifetime = new Lifetime();
  expect(await lifetime.within(1)).toBe(1);
  expect(await lifetime.within(Promise.resolve(2))).toBe(2);
  await expect(lifetime.within(Promise.reject(new Error("its own")))).rejects.toThrow("its own");
});

test("the end rejects pending and later calls with the first error", async () => {
  const lifetime = new Lifetime();
  const pending = lifetime.within(new Promise(() => {}));
  lifetime.end(new Error("first"));
  lifetime.end(new Error("second"));
  await expect(pending).rejects.toThrow("first");
  await expect(lifetime.within(1)).rejects.toThrow("first");
});

test("a result is not kept until the end", async () => {
  const lifetime = new Lifetime();
  const results: WeakRef<object>[] = [];
  for (let at = 0; at < 10; at++) results.push(new WeakRef(await lifetime.within(Promise.resolve({ at }))));
  // A WeakRef holds its target until the end of the task.
  await new Promise((resolve) => setTimeout(resolve));
  collectGarbage();
  expect(results.filter((result) => result.deref())).toEqual([]);
  lifetime.end(new Error("the end"));
});
