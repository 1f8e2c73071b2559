/**
 * Transfer of Request and Response over a comlink port. Each message has a port for its body; the request's port also
 * carries its abort. The sender assigns request ids, so that retries are recognized.
 */

import { type TransferHandler, transferHandlers } from "comlink";
import type { Bytes } from "./byte-stream.ts";

export interface WireRequest {
  id: string;
  /** How many servers had it before. */
  attempt: number;
  url: string;
  method: string;
  headers: [string, string][];
  /** Whether the body is sent over the port. */
  hasBody: boolean;
  /** The whole body, if it is a short string. */
  text?: string | undefined;
  port: MessagePort;
}

export interface WireResponse {
  status: number;
  statusText: string;
  headers: [string, string][];
  /** Absent for a response without a body. */
  port?: MessagePort;
  /** The whole body of a response that is not streamed; otherwise the body is sent over the port. */
  whole?: Bytes;
}

export type AbortMessage = { type: "abort"; reason: string };

const KINDS = { request: () => Request, response: () => Response };

/** Registers one end of a transfer. A page only sends requests and receives responses. */
export function registerEnd(
  kind: keyof typeof KINDS,
  end: { serialize?(value: never): [unknown, Transferable[]]; deserialize?(wire: never): unknown },
): void {
  const name = `infetch.${kind}`;
  const canHandle = (value: unknown): value is never => value instanceof KINDS[kind]();
  const handler = { ...transferHandlers.get(name), canHandle, ...end };
  transferHandlers.set(name, handler as TransferHandler<unknown, unknown>);
}
