/** The wire between the server and an engine worker: types only. */

import type { CachePages } from "../../src/protocol/events.ts";
import type { ChatModelInfo, EngineStep, GenerateRequest } from "./chat-engine.ts";
import type { EngineErrorCode } from "./engine-error.ts";

/** First message to an engine worker. */
export interface EngineConnectMessage {
  type: "connect";
  port: MessagePort;
  /** Lock that the engine holds until it ends. */
  engineLock: string;
  /** Lock of the server; the engine ends when it is granted, because the server has ended. */
  serverLock: string;
}

export interface EngineFailure {
  code: EngineErrorCode;
  message: string;
  /** The request parameter that caused the error, if any. */
  param?: string | null;
}

/** Sent by a worker before it closes because its GPU state is lost or corrupt. */
export interface EngineFatalMessage extends EngineFailure {
  type: "fatal";
}

export type EngineResult<T> = { ok: true; value: T } | { ok: false; error: EngineFailure };

/** Sent by the worker on the port of one `generate` call. */
export type GenerateMessage = EngineStep | { type: "error"; error: EngineFailure };

/** Sent to the worker on that port. */
export type GenerateControl = { type: "abort" };

/** The interface that a chat engine's worker exposes through comlink. `Build` describes the model files to load. */
export interface EngineEndpoint<Build> {
  /** Resolves to the package's version once the worker holds its lock. */
  ready(): Promise<string>;
  load(model: Build, progress: MessagePort): Promise<EngineResult<ChatModelInfo>>;
  countTokens(prompt: string | readonly number[], scope?: string): Promise<EngineResult<number>>;
  decode(tokens: readonly number[]): Promise<EngineResult<string>>;
  retainedTokens(): Promise<EngineResult<number>>;
  pages(): Promise<EngineResult<CachePages | null>>;
  /** A number that changes with every pass. */
  passes(): Promise<number>;
  /** Posts steps to `port`; the last message is `finish` or `error`. */
  generate(request: GenerateRequest, port: MessagePort): Promise<void>;
}
