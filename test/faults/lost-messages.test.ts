/**
 * Messages between a page and its server are lost from any one on: the server ends, is suspended and wakes later, or the
 * page ends. Each request ends in a response or an error, the next one is answered, and nothing is charged twice.
 */

import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { WorkerLostError } from "../../src/errors.ts";
import { Connection } from "../../src/port/connection.ts";
import { mintKey } from "../../src/port/page-key.ts";
import type { ServerOptions } from "../../src/protocol/options/server-options.ts";
import type { Rpc } from "../../src/protocol/rpc/rpc.ts";
import { buildRequest } from "../../src/protocol/transfer/request-body.ts";
import { requestIdOf, stateOf } from "../../src/protocol/transfer/request-state.ts";
import { retryOnServerLoss } from "../../src/tabs/retry-on-server-loss.ts";
import { Connections } from "../../worker/server/connections.ts";
import { Pages } from "../../worker/server/pages.ts";
import { deliverWaiting, FakeChannel, type Fate, judgeMessages } from "../fakes/fake-channels.ts";
import { FakeWebLocks } from "../fakes/fake-web-locks.ts";
import { BatchWorld, type Tab } from "../support/batches/batch-world.ts";
import { ofTheDay, seed } from "../support/random.ts";

const PIECES = Array.from({ length: 6 }, (_, at) => `word${at} `);
/** Longer than a page waits for a server that does not answer. */
const MOST_TICKS = 200;
/** Databases and modules answer in real time. */
const PATIENCE_MS = 20_000;

type Page = Awaited<ReturnType<Origin["openPage"]>>;

interface Server {
  tab: Tab;
  accept(page: string): MessagePort;
  end(): void;
}

/** A suspended server is not called back about the locks of pages either. */
class OriginLocks extends FakeWebLocks {
  awake = Promise.resolve();

  override request<T>(
    name: string,
    options: LockOptions | LockGrantedCallback<T>,
    work?: LockGrantedCallback<T>,
  ): Promise<T> {
    if (typeof options === "function" || options.mode !== "shared" || !name.includes(":page:"))
      return super.request(name, options, work);
    const later = async (lock: Lock | null): Promise<T> => {
      await this.awake;
      return work!(lock);
    };
    return super.request<T>(name, options, later as LockGrantedCallback<T>);
  }

  /** @returns ends it */
  suspend(): () => void {
    let wake!: () => void;
    this.awake = new Promise((resolve) => {
      wake = resolve;
    });
    return wake;
  }
}

class Origin {
  readonly world = new BatchWorld();
  readonly locks = new OriginLocks();
  readonly servers: Server[] = [];

  constructor() {
    const { clock } = this.world;
    const { now } = clock;
    // As in a browser, no two records have the same time.
    clock.now = () => {
      clock.advance(1);
      return now();
    };
  }

  async startServer(side: string): Promise<Server> {
    const tab = await this.world.openTab({ behaviour: { reply: () => PIECES } });
    const serverLock = `lock of ${side}`;
    let release!: () => void;
    const ended = new Promise<void>((resolve) => {
      release = resolve;
    });
    void this.locks.request(serverLock, () => ended);
    const connections = new Connections({
      app: tab.app,
      pages: new Pages(),
      keys: tab.keys,
      clock: this.world.clock,
      serverLock,
      options: {} as ServerOptions,
      rpc: {} as Rpc,
      reverseUsage: async (request) =>
        void (await tab.ledger.reverseEarlier(requestIdOf(request), stateOf(request).attempt)),
      costUsd: async () => 0,
    });
    return {
      tab,
      accept(page) {
        const { port1, port2 } = FakeChannel.between(page, side);
        connections.accept(port2 as unknown as MessagePort);
        return port1 as unknown as MessagePort;
      },
      end() {
        tab.die();
        release();
      },
    };
  }

  /** A page that joins the last server, and the next one after the end of its connection. */
  async openPage(side: string) {
    const { apiKey, registration: key } = await mintKey();
    let current: Promise<Connection> | undefined;
    const attempts: Connection[] = [];
    // As `ServerHandle` does: the end of the server, or its silence, ends an attempt.
    const open = async (): Promise<Connection> => {
      const servers = this.servers.length;
      const port = this.servers.at(-1)!.accept(side);
      const identity = { pageId: side, basePath: "/v1", key };
      let attempt!: Connection;
      const opening = Connection.open(
        port,
        identity,
        () => {},
        (connection) => {
          attempt = connection;
          attempts.push(connection);
          connection.onLost(() => {
            current = undefined;
          });
        },
      );
      const isLost = () => this.servers.length > servers;
      const watch = setInterval(() => isLost() && attempt.fail(new WorkerLostError()), 1_000);
      try {
        return await opening;
      } catch (error) {
        if (error instanceof WorkerLostError && isLost()) return open();
        throw error;
      } finally {
        clearInterval(watch);
      }
    };
    const connect = (): Promise<Connection> => {
      current ??= open();
      return current;
    };
    const gone = new AbortController();
    return {
      apiKey,
      /** Aborts when the page has ended, which then reads no more. */
      gone: gone.signal,
      leave: () => {
        attempts.at(-1)?.fail(new Error("The page was closed."));
        gone.abort();
      },
      fetch: (path: string, init: RequestInit = {}) => {
        const headers = { authorization: `Bearer ${apiKey}`, ...init.headers };
        return retryOnServerLoss(buildRequest(`https://app.test/v1${path}`, { ...init, headers }), connect);
      },
    };
  }
}

const chat = (stream: boolean): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    model: "plain",
    messages: [{ role: "user", content: "Hi" }],
    ...(stream && { stream, stream_options: { include_usage: true } }),
  }),
});

function upload(): RequestInit {
  const form = new FormData();
  const line = {
    custom_id: "a",
    method: "POST",
    url: "/v1/embeddings",
    body: { model: "fake-embed", input: "a" },
  };
  form.set("purpose", "batch");
  form.set("file", new File([JSON.stringify(line).padEnd(700_000)], "lines.jsonl"));
  return { method: "POST", body: form };
}

interface Outcome {
  id?: string | undefined;
  status?: number;
  text: string;
  /** Name of the error that ended it. */
  error?: string;
}

async function read(response: Response, outcome: Outcome, onChunk = (_: number): void => {}): Promise<void> {
  outcome.id = response.headers.get("x-request-id") ?? undefined;
  outcome.status = response.status;
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let chunks = 1; ; chunks++) {
    const { done, value } = await reader.read();
    if (done) return;
    outcome.text += value;
    onChunk(chunks);
  }
}

async function send(page: Page, path: string, init: RequestInit, abortAfter?: number): Promise<Outcome> {
  const outcome: Outcome = { text: "" };
  const abort = new AbortController();
  try {
    const signal = AbortSignal.any([abort.signal, page.gone]);
    const response = await page.fetch(path, { ...init, signal });
    await read(response, outcome, (chunks) => chunks === abortAfter && abort.abort());
  } catch (error) {
    outcome.error = (error as Error).name;
  }
  return outcome;
}

const kinds: Record<string, (page: Page) => Promise<Outcome>> = {
  "a chat": (page) => send(page, "/chat/completions", chat(false)),
  "a stream": (page) => send(page, "/chat/completions", chat(true)),
  "an aborted stream": (page) => send(page, "/chat/completions", chat(true), 3),
  "an embedding": (page) =>
    send(page, "/embeddings", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "fake-embed", input: ["cat", "dog"] }),
    }),
  "an upload": (page) => send(page, "/files", upload()),
};

const isNotStreamed = (kind: string): boolean => kind === "a chat" || kind === "an embedding";

beforeAll(async () => {
  // Parts of the server load in real time.
  vi.stubGlobal("MessageChannel", FakeChannel);
  const { page, origin } = await open();
  for (const run of Object.values(kinds)) expect(await run(page)).toMatchObject({ status: 200 });
  const { tab } = origin.servers[0]!;
  await tab.call("/v1/billing/invoices");
  await Promise.all([usageOf(tab), filesOf(tab)]);
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  vi.stubGlobal("MessageChannel", FakeChannel);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise((resume) => setImmediate(resume));
}

/** Lets seconds pass until `work` ends. */
async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  work.then(over, over);
  const endMs = performance.now() + PATIENCE_MS;
  for (let tick = 0; !isOver && (tick < MOST_TICKS || performance.now() < endMs); tick++) {
    for (let turn = 0; turn < 40 && !isOver; turn++) await turns(1);
    if (!isOver && tick < MOST_TICKS) vi.advanceTimersByTime(1_000);
  }
  if (!isOver) throw new Error(`${what} hangs.`);
  return work;
}

type Fault = "the server ends" | "the server is suspended" | "the page ends";

async function open(): Promise<{ origin: Origin; page: Page }> {
  const origin = new Origin();
  vi.stubGlobal("navigator", { locks: origin.locks });
  origin.servers.push(await origin.startServer("server 0"));
  return { origin, page: await origin.openPage("page") };
}

async function usageOf({ ledger }: Tab) {
  const [rows, verified] = [await ledger.rpc.usage({}), await ledger.rpc.verify()];
  expect(verified).toMatchObject({ ok: true, value: { ok: true } });
  if (!rows.ok) throw new Error(rows.error.message);
  return rows.value;
}

async function filesOf({ openai }: Tab): Promise<number> {
  return (await openai.files.list()).data.length;
}

async function runWithFault(kind: string, fault: Fault, last: number) {
  const { origin, page } = await open();
  const [first] = origin.servers;
  let sent = 0;
  let isBroken = false;
  const next = await origin.startServer("server 1");
  let wake = (): void => {};
  judgeMessages((from, to): Fate => {
    if (from !== "server 0" && to !== "server 0") return "arrives";
    if (fault === "the page ends" && from !== "page" && to !== "page") return "arrives";
    if (++sent <= last) return "arrives";
    if (!isBroken) {
      isBroken = true;
      // Clients that look for a server find the next one.
      if (fault !== "the page ends") origin.servers.push(next);
      if (fault === "the server is suspended") wake = origin.locks.suspend();
      if (fault === "the server ends") queueMicrotask(() => first!.end());
      if (fault === "the page ends") queueMicrotask(() => page.leave());
    }
    return fault === "the server is suspended" ? "waits" : "is lost";
  });
  const outcome = await inTime(`${kind}, ${fault} after ${last}`, kinds[kind]!(page));
  const resume = (): void => {
    deliverWaiting();
    wake();
  };
  return { origin, page, outcome, sent, first: first!, resume };
}

const FAULTS: Fault[] = ["the server ends", "the server is suspended", "the page ends"];

describe.each(Object.keys(kinds))("%s", (kind) => {
  test.each(FAULTS)(`%s after any message (seed ${seed})`, async (fault) => {
    const { sent } = await runWithFault(kind, fault, Number.POSITIVE_INFINITY);
    for (const last of ofTheDay(Array.from({ length: sent }, (_, at) => at))) {
      const { origin, page, outcome, first, resume } = await runWithFault(kind, fault, last);
      const next = fault === "the page ends" ? await origin.openPage("next page") : page;
      const asked = send(next, "/chat/completions", chat(false));
      const answer = await inTime(`the next request after message ${last}`, asked);
      expect(answer).toMatchObject({ status: 200 });
      // The number of messages may differ by one from run to run: credits are joined.
      const isReplaced = origin.servers.length > 1;
      if (fault === "the server is suspended" && isReplaced) {
        // It wakes, until its page gives it up.
        resume();
        await turns(60);
        first.end();
      }
      await turns(60);
      const { tab } = origin.servers.at(-1)!;
      // Recovers what the dead server has noted.
      await inTime("recovery", tab.call("/v1/billing/invoices"));
      const own = (await inTime("the usage", usageOf(tab))).filter(
        ({ requestId }) => requestId !== answer.id,
      );
      const files = await inTime("the files", filesOf(tab));
      const seen = { last, outcome, own, files };
      const isWhole = outcome.error === undefined;
      if (!isWhole) expect(seen.outcome.error).toMatch(ERRORS[fault]);
      if (isWhole)
        expect(seen).toMatchObject({ outcome: { status: 200 }, files: kind === "an upload" ? 1 : 0 });
      if (isWhole && kind !== "an upload") expect(seen).toMatchObject({ own: [{ requestId: outcome.id }] });
      expect(own.length, JSON.stringify(seen)).toBeLessThanOrEqual(outcome.status === undefined ? 0 : 1);
      // Head and body are one message. If the server ends before it, the next server answers.
      if (isNotStreamed(kind) && fault !== "the page ends")
        expect(seen).toMatchObject({ outcome: { status: 200 }, own: [{ requestId: outcome.id }] });
      expect(files, JSON.stringify(seen)).toBeLessThanOrEqual(1);
      expect(first.tab.engine.running).toBe(0);
    }
  });
});

const ERRORS: Record<Fault, RegExp> = {
  "the server ends": /^(WorkerLost|Abort)Error$/,
  "the server is suspended": /^(WorkerLost|Abort)Error$/,
  "the page ends": /^(Abort)?Error$/,
};
