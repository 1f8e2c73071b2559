import type { CachePages } from "../../../src/protocol/events.ts";
import type { ChatModelInfo, EngineStep, GenerateRequest } from "../../engine-api/chat-engine.ts";
import { EngineError, type EngineErrorCode, endsEngine } from "../../engine-api/engine-error.ts";
import type {
  EngineEndpoint,
  EngineFailure,
  GenerateControl,
  GenerateMessage,
} from "../../engine-api/engine-wire.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import { engineResultsWith, serveEngine } from "../scheduling/serve-engine.ts";

/** A chat engine inside its worker. Callers must run at most `info.parallel` requests at a time, beside suspended ones. */
export interface LocalChatEngine {
  readonly info: ChatModelInfo;
  /** Tokens of idle sequences in the KV cache. @default unknown */
  readonly retainedTokens?: number;
  /** Pages of the KV cache. @default unknown */
  readonly pages?: CachePages;
  /** A number that changes with every token, and with every part of a prompt that is read. */
  readonly passes: number;
  countTokens(prompt: string | readonly number[], scope?: string): number;
  decode(tokens: readonly number[]): string;
  generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void>;
}

type Load<Build> = (build: Build, onProgress: (progress: LoadProgress) => void) => Promise<LocalChatEngine>;
type ToFailure = (error: unknown, otherwise: EngineErrorCode) => EngineFailure;

/** Serves {@link chatEndpoint} alone. */
export function serveChatEngine<Build>(load: Load<Build>, toFailure: ToFailure): void {
  serveEngine(chatEndpoint(load, toFailure));
}

/**
 * The endpoint of one engine, for its worker.
 *
 * @param toFailure maps the engine's own errors; `otherwise` is the code for all others
 */
export function chatEndpoint<Build>(
  load: Load<Build>,
  toFailure: ToFailure,
): Omit<EngineEndpoint<Build>, "ready"> {
  let engine: LocalChatEngine | undefined;
  const asResult = engineResultsWith(toFailure);
  const loaded = (): LocalChatEngine => {
    if (!engine) throw new EngineError("engine_failed", "No model is loaded in this engine.");
    return engine;
  };
  return {
    load: (build, progress) =>
      asResult("model_load_failed", async () => {
        engine = await load(build, (state) => progress.postMessage(state));
        return engine.info;
      }),
    countTokens: (prompt, scope) =>
      asResult("engine_failed", async () => loaded().countTokens(prompt, scope)),
    decode: (tokens) => asResult("engine_failed", async () => loaded().decode(tokens)),
    passes: async () => engine?.passes ?? 0,
    retainedTokens: () => asResult("engine_failed", async () => loaded().retainedTokens ?? 0),
    pages: () => asResult("engine_failed", async () => loaded().pages ?? null),
    async generate(request, port) {
      const post = (message: GenerateMessage): void => port.postMessage(message);
      const abort = new AbortController();
      port.onmessage = ({ data }: MessageEvent<GenerateControl>) => {
        if (data.type === "abort") abort.abort();
      };
      try {
        for await (const step of loaded().generate(request, abort.signal)) post(step);
      } catch (error) {
        const failure = toFailure(error, "engine_failed");
        post({ type: "error", error: failure });
        // After an unknown failure the engine's state is undefined: let the supervisor start a new worker.
        if (endsEngine(failure)) self.close();
      }
    },
  };
}
