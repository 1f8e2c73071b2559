/**
 * The language of the hosted page and the command that hosts it: many requests over one WebSocket. Both ends
 * import this file. A frame is one byte of type, four bytes of request id, and a payload. Bodies are pulled
 * with credit, as everywhere in infetch: a slow client holds back its own stream and no other.
 */

/** Bytes of one body that may be under way before the other end has used any of them. */
export const WINDOW_BYTES = 256 * 1024;

export const Frame = {
  /** Page: the runtime is up. Payload: {@link PageReady}. */
  ready: 0,
  /** Page: the runtime did not come up. Payload: text for the user. */
  failed: 1,
  /** Page: an event of the runtime, as JSON. */
  event: 2,
  /** Host: a request begins. Payload: {@link RequestHead}. */
  request: 3,
  /** Page: its answer begins. Payload: {@link ResponseHead}. */
  response: 4,
  /** Both: bytes of the body that goes this way. */
  chunk: 5,
  /** Both: the body that goes this way is complete. */
  end: 6,
  /** Both: bytes of the other's body that were used, as a number. */
  credit: 7,
  /** Host: the client is gone. */
  abort: 8,
  /** Page: `runtime.fetch` rejected, or the body failed. Payload: {@link Failure}. */
  error: 9,
} as const;

export type FrameType = (typeof Frame)[keyof typeof Frame];

export interface PageReady {
  apiKey: string;
  /** Absolute address of the `/v1` surface, as the page knows it. */
  baseURL: string;
}

export interface RequestHead {
  method: string;
  /** Path and query. */
  path: string;
  headers: [string, string][];
  hasBody: boolean;
}

export interface ResponseHead {
  status: number;
  statusText: string;
  headers: [string, string][];
}

export interface Failure {
  code: string;
  message: string;
}

export interface ReceivedFrame {
  type: FrameType;
  id: number;
  payload: Uint8Array<ArrayBuffer>;
}

const HEAD_BYTES = 5;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @param payload bytes as they are, a number for credit, text, or anything JSON can hold */
export function encodeFrame(type: FrameType, id: number, payload: unknown = ""): Uint8Array<ArrayBuffer> {
  const bytes = payload instanceof Uint8Array ? payload : encoder.encode(textOf(payload));
  const frame = new Uint8Array(HEAD_BYTES + bytes.byteLength);
  frame[0] = type;
  new DataView(frame.buffer).setUint32(1, id);
  frame.set(bytes, HEAD_BYTES);
  return frame;
}

function textOf(payload: unknown): string {
  return typeof payload === "string" ? payload : JSON.stringify(payload);
}

export function decodeFrame(bytes: Uint8Array<ArrayBuffer>): ReceivedFrame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { type: view.getUint8(0) as FrameType, id: view.getUint32(1), payload: bytes.subarray(HEAD_BYTES) };
}

/** The payload as text. */
export function payloadText(frame: ReceivedFrame): string {
  return decoder.decode(frame.payload);
}

/** The payload as what was given to {@link encodeFrame}. */
export function payloadJson<T>(frame: ReceivedFrame): T {
  return JSON.parse(payloadText(frame)) as T;
}
