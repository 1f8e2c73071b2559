/** Parts of the server that do not load, alone and as what another part needs. */

import { afterEach, expect, test, vi } from "vitest";
import { loadPart, PartError } from "../../../worker/lazy/part.ts";

afterEach(() => {
  vi.useRealTimers();
});

const refused = async () => {
  throw new TypeError("Failed to fetch dynamically imported module");
};

test("a part that does not load has a code, what to check, and its cause", async () => {
  const error = await loadPart(refused).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(PartError);
  expect(error.code).toBe("part_unavailable");
  expect(error.message).toContain("Check the connection, and that all files of the package are served.");
  expect(error.cause).toBeInstanceOf(TypeError);
});

test("a part that needs another one fails with that one's error, which names its file", async () => {
  const inner = new PartError("https://app.test/other.js did not load.", undefined);
  const needing = async () => {
    throw inner;
  };
  expect(await loadPart(needing).catch((thrown) => thrown)).toBe(inner);
});

const hangs = () => new Promise<never>(() => {});

test("a part whose file never arrives fails after two minutes, and at once if the caller aborts", async () => {
  vi.useFakeTimers();
  const late = loadPart(hangs).catch((thrown) => thrown);
  const abort = new AbortController();
  const left = loadPart(hangs, abort.signal).catch((thrown) => thrown);
  abort.abort("left");
  expect(await left).toBe("left");
  let isOver = false;
  void late.then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(119_000);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await late).toMatchObject({ code: "part_unavailable" });
  expect(vi.getTimerCount()).toBe(0);
});

test("parts that many wait for without a signal add no listener to one that all share", async () => {
  const add = vi.spyOn(EventTarget.prototype, "addEventListener");
  try {
    await Promise.all(Array.from({ length: 20 }, () => loadPart(async () => "part")));
    expect(add).not.toHaveBeenCalled();
  } finally {
    add.mockRestore();
  }
});
