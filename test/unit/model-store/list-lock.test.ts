/** A hub's list of files is asked for by one tab at a time, of which the browser may suspend one. */

import { afterEach, expect, test, vi } from "vitest";
import { withSnapshot } from "../../../worker/model-store/hub/snapshot.ts";
import { FakeCaches } from "../../fakes/fake-caches.ts";
import { FakeWebLocks } from "../../fakes/fake-web-locks.ts";
import { storeEnvironment } from "../../support/store-environment.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const hub = { url: "https://hub.test/", repository: "acme/model", revision: "main" };
const folder = { cache: "infetch/gguf", folder: "https://hub.test/acme/model/resolve/main/" };

test("a load goes on after a minute, if the tab that asks for the list answers nothing", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const locks = new FakeWebLocks() as unknown as LockManager;
  const base = storeEnvironment(new FakeCaches(), () => false);
  const load = vi.fn(async () => "loaded");
  // It handles no message, neither of the hub nor of other tabs.
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      postMessage() {}
      close() {}
    },
  );
  await new Promise<void>((asked) => {
    const fetch = () => {
      asked();
      return new Promise<never>(() => {});
    };
    withSnapshot(hub, folder, { ...base, locks, fetch }, load).catch(() => {});
  });
  vi.unstubAllGlobals();
  const fetch = async () => new Response("", { status: 404 });
  const next = withSnapshot(hub, folder, { ...base, locks, fetch }, load).catch((error) => error);
  for (let second = 0; second < 65; second++) {
    vi.advanceTimersByTime(1_000);
    for (let turn = 0; turn < 10; turn++) await new Promise((resume) => setImmediate(resume));
    if (second === 50) expect(load).not.toHaveBeenCalled();
  }
  expect(await next).toBe("loaded");
});

test("a load goes on after some minutes, if the tab that stores files of another list is suspended", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const locks = new FakeWebLocks() as unknown as LockManager;
  const base = { ...storeEnvironment(new FakeCaches(), () => false), locks };
  const environment = { ...base, fetch: hubAt("a".repeat(40)) };
  const load = vi.fn(async () => "loaded");
  await withSnapshot(hub, folder, environment, load);
  load.mockClear();
  const lock = `infetch:files:${folder.folder}.infetch-snapshot.json`;
  void locks.request(lock, () => new Promise(() => {}));
  const next = withSnapshot(hub, folder, environment, load);
  for (let second = 0; second < 185; second++) {
    vi.advanceTimersByTime(1_000);
    await new Promise((resume) => setImmediate(resume));
    if (second === 170) expect(load).not.toHaveBeenCalled();
  }
  expect(load).toHaveBeenCalledOnce();
  expect(await next).toBe("loaded");
});

/** Answers as the hub's API, for a branch that is at `commit`. */
const hubAt = (commit: string) => async (address: RequestInfo | URL) =>
  Response.json(String(address).includes("/revision/") ? { sha: commit } : []);

test("a tab that wakes does not replace the list that another one has stored meanwhile", async () => {
  const base = storeEnvironment(new FakeCaches(), () => false);
  const locks = new FakeWebLocks();
  const [before, now] = ["a".repeat(40), "b".repeat(40)];
  const commits: (string | undefined)[] = [];
  const load = async (snapshot: { sourceURL: string } | undefined): Promise<void> => {
    commits.push(snapshot?.sourceURL.split("/").at(-2));
  };
  let wake!: () => void;
  const awake = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let late!: Promise<unknown>;
  await new Promise<void>((asked) => {
    const fetch = async (address: RequestInfo | URL) => {
      asked();
      await awake;
      return hubAt(before)(address);
    };
    late = withSnapshot(hub, folder, { ...base, locks: locks as unknown as LockManager, fetch }, load);
  });
  // The other tab has taken the lock; this one has not heard of it.
  const other = { ...base, locks: undefined, fetch: hubAt(now) };
  await withSnapshot(hub, folder, other, load);
  wake();
  await late;
  expect(commits).toEqual([now, now]);
});
