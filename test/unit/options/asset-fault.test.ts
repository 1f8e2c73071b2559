import { afterEach, expect, test, vi } from "vitest";
import { explainStart } from "../../../src/protocol/asset-fault.ts";

afterEach(() => vi.unstubAllGlobals());

test("files of the machine that built the app are not fetched: the message names the plugins", async () => {
  vi.stubGlobal("location", new URL("http://localhost:3000/chat"));
  vi.stubGlobal("fetch", () => expect.unreachable());
  const url = "file:///app/node_modules/infetch/dist/worker/server.js";
  const message = await explainStart(url, undefined, new Map());
  expect(message).toMatch(`${url} did not load: it is a path on the machine that built the app. `);
  expect(message).toContain("plugins: [infetch()]");
  expect(message).toContain("plugins: [new InfetchPlugin()]");
  expect(message).toContain("npx infetch copy <folder>");
});
