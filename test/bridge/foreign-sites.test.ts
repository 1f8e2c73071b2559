/** Both ports of the bridge reject foreign sites: DNS rebinding to loopback, and pages of other origins. */

import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bridge, startBridge } from "../../scripts/bridge/bridge.ts";
import { anyEngine, findChromium } from "../../scripts/browsers/chromium.ts";
import { type HostedRuntime, hostRuntime } from "../../scripts/host/hosted-runtime.ts";

const KEY = "a-key-of-my-own";
const UPSTREAM_KEY = "sk-sentinel-upstream-0815";
const runtimeOptions = {
  upstream: { baseURL: "http://127.0.0.1:9/v1", apiKey: UPSTREAM_KEY, models: ["far"] },
};
let bridge: Bridge;
let hosted: HostedRuntime;
/** Resolves every name under `.test` to this machine, as after DNS rebinding. */
let browser: Browser;

beforeAll(async () => {
  bridge = await startBridge({ port: 0, key: KEY, runtimeOptions });
  hosted = await hostRuntime({ runtimeOptions });
  browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...anyEngine, "--host-resolver-rules=MAP *.test 127.0.0.1"],
  });
});

afterAll(async () => {
  await browser?.close();
  await hosted?.close();
  await bridge?.close();
});

interface Answer {
  status: number;
  body: string;
}

function get(port: string, path: string, headers: OutgoingHttpHeaders): Promise<Answer> {
  return new Promise((settle, reject) => {
    httpRequest({ port, host: "127.0.0.1", path, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text) => {
        body += text;
      });
      response.on("end", () => settle({ status: response.statusCode!, body }));
    })
      .on("upgrade", (_, socket) => {
        socket.destroy();
        settle({ status: 101, body: "" });
      })
      // The connection closed without a response.
      .on("error", (error: NodeJS.ErrnoException) =>
        error.code === "ECONNRESET" ? settle({ status: 0, body: "" }) : reject(error),
      )
      .end();
  });
}

const codeOf = ({ body }: Answer): string => JSON.parse(body).error.code;
const portOf = (address: string): string => new URL(address).port;

describe("the port of the API", () => {
  const models = (headers: OutgoingHttpHeaders) =>
    get(portOf(bridge.baseURL), "/v1/models", { authorization: `Bearer ${KEY}`, ...headers });

  test("answers under the names of this machine alone", async () => {
    const port = portOf(bridge.baseURL);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect([host, (await models({ host })).status]).toEqual([host, 200]);
    }
    // A tunnel may listen on a different port.
    expect((await models({ host: "localhost:1" })).status).toBe(200);
    for (const host of [
      `evil.test:${port}`,
      "evil.test",
      `127.0.0.1.evil.test:${port}`,
      `localhost.evil.test:${port}`,
      `evil.test#@127.0.0.1:${port}`,
    ]) {
      const answer = await models({ host });
      expect([host, answer.status, codeOf(answer)]).toEqual([host, 403, "host_not_allowed"]);
    }
  });

  test("answers no page of another origin", async () => {
    const port = portOf(bridge.baseURL);
    const host = `127.0.0.1:${port}`;
    expect((await models({ host, origin: `http://${host}` })).status).toBe(200);
    for (const origin of ["https://evil.test", `http://evil.test:${port}`, "http://127.0.0.1:1", "null"]) {
      const answer = await models({ host, origin });
      expect([origin, answer.status, codeOf(answer)]).toEqual([origin, 403, "origin_not_allowed"]);
    }
  });

  test("a page under a rebound name gets nothing, in a browser", async () => {
    const page = await browser.newPage();
    const port = portOf(bridge.baseURL);
    await page.goto(`http://evil.test:${port}/v1/models`);
    const answer = await page.evaluate(async (key) => {
      const response = await fetch("/v1/models", { headers: { authorization: `Bearer ${key}` } });
      return { status: response.status, body: await response.text() };
    }, KEY);
    expect([answer.status, codeOf(answer)]).toEqual([403, "host_not_allowed"]);
    await page.close();
  });
});

describe("the port of the page", () => {
  const fromPage = (path: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> =>
    get(portOf(hosted.baseURL), path, headers);

  test("the options, and with them the key of the upstream, are for the page that knows the token", async () => {
    for (const path of [
      "/options.json",
      "/options.json?",
      "/options.json?0",
      `/options.json?${"0".repeat(32)}`,
    ]) {
      const { status, body } = await fromPage(path);
      expect([path, status]).toEqual([path, 404]);
      expect(body).not.toContain(UPSTREAM_KEY);
    }
  });

  test("answers under the names of this machine alone, and no page of another origin", async () => {
    const port = portOf(hosted.baseURL);
    expect((await fromPage("/", { host: `127.0.0.1:${port}` })).status).toBe(200);
    expect((await fromPage("/", { host: `evil.test:${port}` })).status).toBe(403);
    expect((await fromPage("/", { origin: "https://evil.test" })).status).toBe(403);
  });

  test("its socket refuses other sites too", async () => {
    const port = portOf(hosted.baseURL);
    const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "x" };
    expect((await fromPage("/channel?0", upgrade)).status).toBe(0);
    for (const host of [`evil.test:${port}`, `127.0.0.1:${port}`]) {
      expect((await fromPage("/channel", { ...upgrade, host, origin: `http://${host}` })).status).toBe(0);
    }
  });

  test("a page under a rebound name reads no options, in a browser", async () => {
    const page: Page = await browser.newPage();
    await page.goto(`http://evil.test:${portOf(hosted.baseURL)}/`);
    const text = await page.evaluate(async () => (await fetch("/options.json")).text());
    expect(text).not.toContain(UPSTREAM_KEY);
    await page.close();
  });
});
