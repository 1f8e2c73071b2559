/** Objects in the heaps of a page and of its workers, counted after a garbage collection. */

import type { CDPSession } from "playwright";

/** Sends a command to a page or worker. */
// biome-ignore lint/suspicious/noExplicitAny: results of the DevTools protocol, by method
type Send = (method: string, params?: object) => Promise<any>;

interface Reply {
  id?: number;
  method?: string;
  params: { sessionId: string; message: string; targetInfo: { url: string }; chunk: string };
  result?: unknown;
  error?: { message: string };
}

/** The worker's end of the protocol, inside a page's or another worker's. */
interface Session {
  onMessage(message: string): void;
  onDetached(): void;
}

/** A page's or worker's end of the DevTools protocol. */
export class Target {
  readonly send: Send;
  readonly #found: (path: string, worker: Target) => void;
  readonly #sessions = new Map<string, Session>();
  #chunks: string[] = [];

  constructor(send: Send, found: (path: string, worker: Target) => void) {
    this.send = send;
    this.#found = found;
  }

  /** Attaches to its workers, present and future. */
  attach(): Promise<void> {
    const params = { autoAttach: true, waitForDebuggerOnStart: false, flatten: false };
    return this.send("Target.setAutoAttach", params);
  }

  onEvent({ method, params }: Reply): void {
    const session = this.#sessions.get(params.sessionId);
    if (method === "Target.receivedMessageFromTarget") session?.onMessage(params.message);
    else if (method === "Target.detachedFromTarget") session?.onDetached();
    else if (method === "Target.attachedToTarget") this.#open(params.sessionId, params.targetInfo.url);
    else if (method === "HeapProfiler.addHeapSnapshotChunk") this.#chunks.push(params.chunk);
  }

  /** The heap after a garbage collection, as JSON. */
  async snapshot(): Promise<string> {
    this.#chunks = [];
    await this.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
    return this.#chunks.join("");
  }

  #open(sessionId: string, url: string): void {
    const pending = new Map<number, (reply: Partial<Reply>) => void>();
    const send: Send = (method, params = {}) =>
      new Promise((resolve, reject) => {
        const id = pending.size + 1;
        pending.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
        const message = JSON.stringify({ id, method, params });
        this.send("Target.sendMessageToTarget", { sessionId, message }).catch(reject);
      });
    const worker = new Target(send, this.#found);
    this.#sessions.set(sessionId, {
      onMessage(message) {
        const reply = JSON.parse(message) as Reply;
        if (reply.id === undefined) worker.onEvent(reply);
        else pending.get(reply.id)?.(reply);
      },
      onDetached() {
        for (const end of pending.values()) end({ error: { message: `${url} has ended` } });
      },
    });
    this.#found(new URL(url).pathname, worker);
    void worker.attach();
  }
}

/** Attaches to a page and its workers, and theirs. @returns each one's end of the protocol: `page`, or its path */
export async function attachTargets(cdp: CDPSession): Promise<Map<string, Target>> {
  const targets = new Map<string, Target>();
  const page = new Target(cdp.send.bind(cdp) as Send, (path, worker) => targets.set(path, worker));
  targets.set("page", page);
  for (const method of [
    "Target.attachedToTarget",
    "Target.detachedFromTarget",
    "Target.receivedMessageFromTarget",
    "HeapProfiler.addHeapSnapshotChunk",
  ] as const)
    cdp.on(method, (params) => page.onEvent({ method, params: params as unknown as Reply["params"] }));
  await page.attach();
  return targets;
}

const KINDS = ["MessagePort", "ReadableStream", "AbortController", "Response", "Request", "Promise"];

interface Snapshot {
  snapshot: { meta: { node_fields: string[] } };
  nodes: number[];
  strings: string[];
}

/**
 * Counts the nodes of each kind in a heap snapshot: its objects, plus a constant for constructor and prototype.
 * `Runtime.queryObjects`, which counts objects alone, crashes Chromium 156 in a worker with an engine.
 */
export async function census(target: Target): Promise<Record<string, number>> {
  const { snapshot, nodes, strings } = JSON.parse(await target.snapshot()) as Snapshot;
  const { node_fields: fields } = snapshot.meta;
  const counts = new Map(KINDS.map((kind) => [kind, 0]));
  for (let at = fields.indexOf("name"); at < nodes.length; at += fields.length) {
    const name = strings[nodes[at]!]!;
    const count = counts.get(name);
    if (count !== undefined) counts.set(name, count + 1);
  }
  return Object.fromEntries(counts);
}
