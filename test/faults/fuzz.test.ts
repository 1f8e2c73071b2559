/** Random requests to the whole HTTP API: each gets a documented response, and usage matches the ledger. */

import { openDB } from "idb";
import { expect, test } from "vitest";
import { type FuzzRequest, fuzzRequest } from "../support/fuzz/requests.ts";
import { type KeyedTab, Origin } from "../support/keyed-app.ts";
import { fc } from "../support/random.ts";
import { embedder } from "../support/test-app.ts";

/** `npm run test:slow` sets 20,000 (`vitest.config.ts`). */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 2_000);

/** Far above the duration of any request: one without a response by then hangs. */
const PATIENCE_MS = 20_000;

/** Unrestricted keys, weighted so that most requests pass auth. */
const OFTEN = ["page", "page", "page", "page", "page", "other", "other"];

const STATUSES = new Set([200, 400, 401, 403, 404, 405, 409, 413, 429]);
const TYPES = new Set([
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "requests",
  "tokens",
  "insufficient_quota",
]);

interface Counted {
  input: number;
  output: number;
}

/** Observations of a fuzzed session. */
interface Seen {
  /** Request id → usage in its response. */
  usage: Map<string, Counted>;
  succeeded: Set<string>;
  statuses: Map<string, number>;
  file: string;
  batch: string;
}

async function keysOf(tab: KeyedTab): Promise<Record<string, string>> {
  const make = async (request: Parameters<KeyedTab["create"]>[0]) => (await tab.create(request)).apiKey;
  return {
    page: tab.pageKey,
    scoped: await make({ endpoints: ["/v1/models", "/v1/responses", "/v1/files"], models: ["plain"] }),
    limited: await make({ limits: { requestsPerMinute: 10, tokensPerMinute: 3_000, concurrentRequests: 2 } }),
    quota: await make({ limits: { tokensPerDay: 5_000, usdPerMonth: "0.01" } }),
    other: await make({ account: "other" }),
    unknown: "infetch-nobody-0123456789",
    none: "",
  };
}

/** Sends a request, reads the response and checks what holds for every response. */
async function exchange(tab: KeyedTab, keys: Record<string, string>, sent: FuzzRequest, seen: Seen) {
  const place = (text: string) => text.replaceAll("{file}", seen.file).replaceAll("{batch}", seen.batch);
  const hasBody = sent.body !== undefined && sent.method !== "GET" && sent.method !== "HEAD";
  const abort = new AbortController();
  const key = keys[sent.key];
  const request = new Request(`https://app.test${place(sent.path)}`, {
    method: sent.method,
    headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...sent.headers },
    ...(hasBody ? { body: typeof sent.body === "string" ? place(sent.body) : sent.body! } : {}),
    signal: abort.signal,
  });
  const response = await tab.app.fetch(request);
  expect(response).toBeInstanceOf(Response);
  const requestId = response.headers.get("x-request-id");
  expect(requestId).toBeTruthy();
  expect(STATUSES, `${response.status}`).toContain(response.status);
  if (response.ok) seen.succeeded.add(requestId!);
  if (sent.method === "HEAD") return expect(await response.text()).toBe("");
  if (response.ok && sent.reading !== "whole") {
    const reader = response.body!.getReader();
    await reader.read();
    if (sent.reading === "aborted") abort.abort();
    return void (await reader.cancel().catch(() => {}));
  }
  const text = await response.text();
  note(seen, request, response, text);
  if (!response.ok) return expectErrorShape(text);
  return readSuccess(response, text, seen);
}

function note(seen: Seen, request: Request, response: Response, text: string): void {
  const code = response.ok ? "" : ` ${JSON.parse(text).error?.code}`;
  const kind = `${response.status}${code}`;
  seen.statuses.set(kind, (seen.statuses.get(kind) ?? 0) + 1);
  if (
    !response.ok ||
    request.method !== "POST" ||
    response.headers.get("content-type") !== "application/json"
  )
    return;
  const { object, id } = JSON.parse(text);
  if (object === "file") seen.file = id;
  if (object === "batch") seen.batch = id;
}

function expectErrorShape(text: string) {
  const { error, ...rest } = JSON.parse(text);
  expect(rest).toEqual({});
  expect(Object.keys(error).sort()).toEqual(["code", "message", "param", "type"]);
  expect(TYPES, text).toContain(error.type);
  expect(error.code).toMatch(/^[a-z_]+$/);
  expect(typeof error.message === "string" && error.message.length > 0).toBe(true);
  expect(error.param === null || typeof error.param === "string").toBe(true);
}

function readSuccess(response: Response, text: string, seen: Seen) {
  const type = response.headers.get("content-type") ?? "";
  const answers = type.startsWith("text/event-stream")
    ? dataLines(text)
        .filter((line) => line !== "[DONE]")
        .map((line) => JSON.parse(line))
    : type.startsWith("application/json")
      ? [JSON.parse(text)]
      : [];
  for (const one of answers) {
    expect(one.error ?? null, text).toBeNull();
    const usage = one.usage ?? one.response?.usage;
    // A batch reports the usage of its lines, which are recorded individually.
    if (!usage || one.object === "batch") continue;
    const input = usage.prompt_tokens ?? usage.input_tokens;
    const output = usage.completion_tokens ?? usage.output_tokens ?? 0;
    seen.usage.set(response.headers.get("x-request-id")!, { input, output });
  }
}

/** The `data:` lines of an event stream, separated by LF, CR or CRLF. */
const dataLines = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith("data: "))
    .map((line) => line.slice(6));

/** @throws {Error} if the exchange does not end within {@link PATIENCE_MS} */
async function withinPatience<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It was not answered.")), PATIENCE_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

test(`random requests are answered as documented, and what was answered is what was recorded`, async () => {
  const origin = new Origin();
  let reply: readonly string[] = [];
  const tab = await origin.openTab({ reply: () => [...reply] }, { models: [embedder] });
  tab.runBatches();
  const keys = await keysOf(tab);
  const before = Object.getOwnPropertyNames(Object.prototype).sort();
  const seen: Seen = {
    usage: new Map(),
    succeeded: new Set(),
    statuses: new Map(),
    file: "file-none",
    batch: "batch_none",
  };
  await fc.assert(
    fc.asyncProperty(fuzzRequest([...Object.keys(keys), ...OFTEN]), async (request) => {
      reply = request.reply;
      origin.clock.advance(200);
      await withinPatience(exchange(tab, keys, request, seen));
      expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before);
    }),
    { numRuns: REQUESTS },
  );
  const database = await openDB(`${origin.name}-ledger`);
  const events = (await database.getAll("events")).filter((event) => event.tier !== "batch");
  database.close();
  const recorded = new Map(events.map((event) => [event.request_id, event]));
  for (const [id, { input, output }] of seen.usage) {
    expect({ id, input: recorded.get(id)?.input_tokens, output: recorded.get(id)?.output_tokens }).toEqual({
      id,
      input,
      output,
    });
  }
  expect(events.filter((event) => !seen.succeeded.has(event.request_id))).toEqual([]);
  // Guards against a useless run: every kind of response must occur.
  expect(seen.usage.size).toBeGreaterThan(REQUESTS / 40);
  for (const kind of [
    "200",
    "400 invalid_json",
    "401 invalid_api_key",
    "403 endpoint_not_allowed",
    "404 unknown_url",
  ])
    expect(seen.statuses.get(kind) ?? 0, kind).toBeGreaterThan(0);
  for (const kind of ["405 method_not_allowed", "404 model_not_found", "429 rate_limit_exceeded"])
    expect(seen.statuses.get(kind) ?? 0, kind).toBeGreaterThan(0);
});
