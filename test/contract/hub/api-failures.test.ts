/** An API that fails for a while: a first load waits for it, and one whose files are cached does without. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HUB_CHAT } from "../../support/deployment-app.ts";
import { type HubApp, hubApp } from "../../support/hub-app.ts";

const BRANCH = `/${HUB_CHAT}/resolve/main/`;
let tested: HubApp;
beforeEach(async () => {
  tested = await hubApp();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await tested.hub.close();
});

const ofBranch = () => tested.files().filter((path) => path.startsWith(BRANCH));
const toApi = () => tested.hub.seen.filter(({ path }) => path.startsWith("/api/models/"));

/** Replaces what the API answers. */
function answer(respond: (address: string, init?: RequestInit) => Promise<Response>): void {
  tested.environment.fetch = async (address, init) =>
    String(address).includes("/api/models/") ? respond(String(address), init) : fetch(address, init);
}

async function lost(): Promise<never> {
  throw new TypeError("connection lost");
}

test.each([429, 503])(
  "a %i of the API is waited out, and the files are those of one commit",
  async (status) => {
    const headers = { "retry-after": "7" };
    tested.hub.faults.set("/revision/main", [{ type: "status", status, headers }]);
    expect(await tested.chat()).toMatchObject({ status: 200 });
    expect(tested.waits).toContain(7000);
    expect(ofBranch()).toEqual([]);
  },
);

test.each(["/revision/", "/tree/"])("a %s that is lost once is asked for again", async (part) => {
  let losses = 1;
  answer((address, init) => (address.includes(part) && losses-- > 0 ? lost() : fetch(address, init)));
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(ofBranch()).toEqual([]);
});

test("an API that goes on failing is a 502, and no file is asked for", async () => {
  answer(async () => new Response("", { status: 503 }));
  const { status, error } = await tested.chat();
  expect([status, error?.code]).toEqual([502, "model_download_failed"]);
  expect(error?.message).toMatch(/the hub responded with 503/);
  expect(ofBranch()).toEqual([]);
  expect(tested.waits).toEqual([250, 500, 1000]);
});

test("an API whose body breaks off is a 502", async () => {
  answer(async () => new Response(new ReadableStream({ pull: (body) => body.error(new TypeError("lost")) })));
  expect((await tested.chat()).error?.message).toMatch(/the connection was lost/);
});

test("a mirror whose API the browser may not read serves the branch", async () => {
  answer(lost);
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(ofBranch()).not.toEqual([]);
});

test("an API that answers without a body is none", async () => {
  answer(async () => new Response(null, { status: 204 }));
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(ofBranch()).not.toEqual([]);
});

test.each([401, 403])("a mirror's %i without a code is a 502 that names hub.token", async (status) => {
  tested.environment.fetch = async () => new Response("", { status });
  expect((await tested.chat()).error).toMatchObject({
    code: "model_download_failed",
    message: expect.stringContaining(`with ${status} (access denied; if it needs a token, set hub.token)`),
  });
});

test("files that are cached without a list do without an API that fails, at once", async () => {
  tested.hub.hasApi = false;
  await tested.chat();
  await tested.unload();
  let asked = 0;
  answer(async () => {
    asked++;
    return new Response("", { status: 503 });
  });
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect([asked, tested.waits]).toEqual([1, []]);
  expect(toApi()).toHaveLength(1);
});

/** An API that answers nothing. The time limits of requests pass at once. */
function hangApi(): void {
  const { after } = tested.environment.timers;
  tested.environment.timers = {
    after(delayMs, call) {
      if (delayMs !== 3_000 && delayMs !== 30_000) return after(delayMs, call);
      const timer = setImmediate(call);
      tested.waits.push(delayMs);
      return () => clearImmediate(timer);
    },
  };
  answer(
    (_, init) =>
      new Promise((__, reject) => {
        init!.signal!.addEventListener("abort", () => reject(init!.signal!.reason));
      }),
  );
}

test("an API that hangs holds up a load whose files are cached without a list for three seconds at most", async () => {
  tested.hub.hasApi = false;
  await tested.chat();
  await tested.unload();
  hangApi();
  tested.hub.seen = [];
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect([tested.waits, tested.hub.seen]).toEqual([[3_000], []]);
});

test("an API that hangs is a 502 where a file is missing, and the branch is not mixed in", async () => {
  tested.hub.hasApi = false;
  await tested.chat();
  await tested.unload();
  tested.caches
    .of("webllm/model")
    .entries.delete(`${tested.hub.url.slice(0, -1)}${BRANCH}params_shard_4.bin`);
  hangApi();
  tested.hub.seen = [];
  const { status, error } = await tested.chat();
  expect([status, error?.code, tested.hub.seen]).toEqual([502, "model_download_failed", []]);
  expect(error?.message).toMatch(/API sent nothing complete for 30 seconds/);
});

test("an API that hangs does not hold up a load whose files are cached with their list", async () => {
  await tested.chat();
  await tested.unload();
  hangApi();
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(tested.waits).toEqual([]);
});

test.each<[string, object[]]>([
  ["a negative size", [{ size: -1 }]],
  ["a size that is no integer", [{ size: 1.5 }]],
  ["a size as text", [{ size: "7" }]],
  ["a path of more than 1,024 characters", [{ path: "a".repeat(1025) }]],
  ["a path outside the folder", [{ path: "../other/model.bin" }]],
])("an entry with %s is left out of the list", async (_, wrong) => {
  answer(async (address, init) => {
    const response = await fetch(address, init);
    if (!address.includes("/tree/")) return response;
    const entries = (await response.json()) as object[];
    const bad = wrong.map((change) => ({
      type: "file",
      path: "bad.bin",
      size: 7,
      oid: "0".repeat(40),
      ...change,
    }));
    return Response.json([...entries, ...bad]);
  });
  expect(await tested.chat()).toMatchObject({ status: 200 });
  const [list] = [...tested.caches.of("infetch/hub").entries.values()];
  const { files } = (await list!.clone().json()) as { files: { name: string }[] };
  expect(files.map(({ name }) => name).sort()).toEqual(
    [...tested.repository.resolve("main")!.files.keys()].sort(),
  );
});

test("answers of more than 16 MB together are not used, and the branch is served", async () => {
  let pages = 0;
  answer(async (address, init) => {
    if (!address.includes("/tree/")) return fetch(address, init);
    pages++;
    const next = `<${address.split("?")[0]}?cursor=${pages}>; rel="next"`;
    return new Response(`["${"a".repeat(5 * 2 ** 20)}"]`, { headers: { link: next } });
  });
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(pages).toBe(4);
  expect(ofBranch()).not.toEqual([]);
});
