/** An engine's worker in this thread, whose replies the test writes: for tests of `RemoteChatEngine`. */

import { expose } from "comlink";
import { vi } from "vitest";
import { PACKAGE_VERSION } from "../../src/protocol/package-version.ts";
import type { ChatModelInfo } from "../../worker/engine-api/chat-engine.ts";
import type {
  EngineConnectMessage,
  EngineEndpoint,
  GenerateControl,
  GenerateMessage,
} from "../../worker/engine-api/engine-wire.ts";
import { RemoteChatEngine } from "../../worker/engines/chat/remote-engine.ts";
import { FakeWebLocks } from "./fake-web-locks.ts";

/** One reply, as the worker sees it. */
export interface ToldReply {
  tell(message: GenerateMessage): void;
  isAborted: boolean;
}

/** Starts an engine; `vi.unstubAllGlobals()` ends the test. */
export async function startFakeEngine(info: Partial<ChatModelInfo>) {
  const replies: ToldReply[] = [];
  const state = {
    passes: 0,
    /** What each engine was given to load. */
    loads: [] as unknown[],
    ends: [] as string[],
    codes: [] as string[],
    isTerminated: false,
    /** Awaited before tokens are counted. */
    counting: Promise.resolve(),
    /** Awaited before a ping is answered. */
    pinged: Promise.resolve(),
  };
  class FakeWorker {
    onmessage: unknown;
    onerror: unknown;

    postMessage({ port }: EngineConnectMessage): void {
      const endpoint: Pick<
        EngineEndpoint<unknown>,
        "ready" | "load" | "passes" | "generate" | "countTokens"
      > & { ping(): Promise<void> } = {
        ready: async () => PACKAGE_VERSION,
        ping: () => state.pinged,
        async load(build) {
          state.loads.push(build);
          return { ok: true, value: info as ChatModelInfo };
        },
        passes: async () => state.passes,
        countTokens: async (prompt) => {
          await state.counting;
          return { ok: true, value: prompt.length };
        },
        async generate(_, replyPort) {
          const reply = {
            tell: (message: GenerateMessage) => replyPort.postMessage(message),
            isAborted: false,
          };
          replyPort.onmessage = ({ data }: MessageEvent<GenerateControl>) => {
            reply.isAborted ||= data.type === "abort";
          };
          replies.push(reply);
        },
      };
      expose(endpoint, port);
    }

    terminate(): void {
      state.isTerminated = true;
    }
  }
  vi.stubGlobal("Worker", FakeWorker);
  const locks = new FakeWebLocks();
  vi.stubGlobal("navigator", { locks });
  const onEnd = (reason: string, code: string): void => {
    state.ends.push(reason);
    state.codes.push(code);
  };
  // The worker's own lock, held for as long as it lives.
  const watch = locks.request.bind(locks);
  locks.request = ((name: string, ...rest: never[]) =>
    name.includes(":engine:")
      ? new Promise(() => {})
      : (watch as (...all: unknown[]) => unknown)(name, ...rest)) as never;
  const options = { workerURL: "webllm.js", name: "m", serverLock: "server", onEnd };
  const engine = await RemoteChatEngine.start(options, {}, () => {});
  return { engine, replies, state };
}
