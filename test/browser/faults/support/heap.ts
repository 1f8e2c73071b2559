/** Live objects of the page and of its workers, counted after a garbage collection. */

import type { CDPSession } from "playwright";

/** Sends a command to a page or worker. */
// biome-ignore lint/suspicious/noExplicitAny: results of the DevTools protocol, by method
export type Send = (method: string, params?: object) => Promise<any>;

interface Reply {
  id?: number;
  method?: string;
  params: { sessionId: string; message: string; targetInfo: { url: string } };
  result?: unknown;
  error?: { message: string };
}

/** A page's or worker's end of the DevTools protocol. */
class Target {
  readonly #send: Send;
  readonly #found: (path: string, send: Send) => void;
  readonly #sessions = new Map<string, (message: string) => void>();

  constructor(send: Send, found: (path: string, send: Send) => void) {
    this.#send = send;
    this.#found = found;
  }

  /** Attaches to its workers, present and future. */
  attach(): Promise<void> {
    const params = { autoAttach: true, waitForDebuggerOnStart: false, flatten: false };
    return this.#send("Target.setAutoAttach", params);
  }

  onEvent({ method, params }: Reply): void {
    if (method === "Target.receivedMessageFromTarget") this.#sessions.get(params.sessionId)?.(params.message);
    else if (method === "Target.attachedToTarget") this.#open(params.sessionId, params.targetInfo.url);
  }

  #open(sessionId: string, url: string): void {
    const pending = new Map<number, (reply: Reply) => void>();
    const send: Send = (method, params = {}) =>
      new Promise((resolve, reject) => {
        const id = pending.size + 1;
        pending.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
        const message = JSON.stringify({ id, method, params });
        this.#send("Target.sendMessageToTarget", { sessionId, message }).catch(reject);
      });
    const worker = new Target(send, this.#found);
    this.#sessions.set(sessionId, (message) => {
      const reply = JSON.parse(message) as Reply;
      if (reply.id === undefined) worker.onEvent(reply);
      else pending.get(reply.id)?.(reply);
    });
    this.#found(new URL(url).pathname, send);
    void worker.attach();
  }
}

/** Attaches to a page's workers and theirs. @returns each one's end of the protocol, by path */
export async function attachWorkers(cdp: CDPSession): Promise<Map<string, Send>> {
  const workers = new Map<string, Send>();
  const page = new Target(cdp.send.bind(cdp) as Send, (path, send) => workers.set(path, send));
  for (const method of ["Target.attachedToTarget", "Target.receivedMessageFromTarget"] as const)
    cdp.on(method, (params) => page.onEvent({ method, params: params as unknown as Reply["params"] }));
  await page.attach();
  return workers;
}

const KINDS = ["MessagePort", "ReadableStream", "AbortController", "Response", "Request", "Promise"];

/** Counts the live objects of each kind. */
export async function census(send: Send): Promise<Record<string, number>> {
  await send("HeapProfiler.collectGarbage");
  const counts: Record<string, number> = {};
  for (const kind of KINDS) {
    const { result } = await send("Runtime.evaluate", { expression: `${kind}.prototype` });
    const { objects } = await send("Runtime.queryObjects", { prototypeObjectId: result.objectId });
    const { result: length } = await send("Runtime.callFunctionOn", {
      objectId: objects.objectId,
      functionDeclaration: "function () { return this.length; }",
      returnByValue: true,
    });
    await send("Runtime.releaseObject", { objectId: objects.objectId });
    counts[kind] = length.value;
  }
  return counts;
}
