/**
 * The server end of one WebSocket with binary messages (RFC 6455), as far as a page of ours needs it:
 * no extensions, no text, no sub-protocols.
 */

import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** RFC 6455 §1.3: proves to the browser that the server speaks the protocol. */
const ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const OPCODE_CONTINUATION = 0x0;
const OPCODE_BINARY = 0x2;
const OPCODE_CLOSE = 0x8;
const OPCODE_PING = 0x9;
const OPCODE_PONG = 0xa;

export interface WebSocketHandlers {
  onMessage(bytes: Uint8Array<ArrayBuffer>): void;
  /** Called once, whoever ended the connection. */
  onClose(): void;
}

export interface ServerWebSocket {
  send(bytes: Uint8Array): void;
  close(): void;
}

/** Completes the handshake of an `upgrade` event. */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  handlers: WebSocketHandlers,
): ServerWebSocket {
  const accept = createHash("sha1")
    .update(`${request.headers["sec-websocket-key"]}${ACCEPT_SUFFIX}`)
    .digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const reader = new MessageReader(handlers.onMessage, (opcode, payload) => {
    if (opcode === OPCODE_PING) writeFrame(socket, OPCODE_PONG, payload);
    if (opcode === OPCODE_CLOSE) socket.end();
  });
  socket.on("data", (bytes: Buffer) => reader.push(bytes));
  // Every error is followed by `close`, which says all there is to say.
  socket.on("error", () => {});
  socket.once("close", () => handlers.onClose());
  return {
    send: (bytes) => writeFrame(socket, OPCODE_BINARY, bytes),
    close: () => socket.destroy(),
  };
}

function writeFrame(socket: Duplex, opcode: number, payload: Uint8Array): void {
  if (socket.destroyed) return;
  const length = payload.byteLength;
  const head = length < 126 ? Buffer.alloc(2) : length < 0x1_0000 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  if (length < 126) head[1] = length;
  else if (length < 0x1_0000) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  socket.cork();
  socket.write(head);
  socket.write(payload);
  socket.uncork();
}

/** Puts messages together from what the socket brings: masked frames, split and joined at will. */
class MessageReader {
  #buffered: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  readonly #onMessage: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly #onControl: (opcode: number, payload: Buffer) => void;

  constructor(
    onMessage: (bytes: Uint8Array<ArrayBuffer>) => void,
    onControl: (opcode: number, payload: Buffer) => void,
  ) {
    this.#onMessage = onMessage;
    this.#onControl = onControl;
  }

  push(bytes: Buffer): void {
    this.#buffered = this.#buffered.length === 0 ? bytes : Buffer.concat([this.#buffered, bytes]);
    while (this.#readFrame());
  }

  #readFrame(): boolean {
    const buffered = this.#buffered;
    if (buffered.length < 2) return false;
    const shortLength = buffered[1]! & 0x7f;
    const maskAt = shortLength < 126 ? 2 : shortLength === 126 ? 4 : 10;
    if (buffered.length < maskAt + 4) return false;
    const length =
      shortLength < 126
        ? shortLength
        : shortLength === 126
          ? buffered.readUInt16BE(2)
          : Number(buffered.readBigUInt64BE(2));
    const end = maskAt + 4 + length;
    if (buffered.length < end) return false;
    const mask = buffered.subarray(maskAt, maskAt + 4);
    const payload = Buffer.from(buffered.subarray(maskAt + 4, end));
    for (let at = 0; at < length; at++) payload[at]! ^= mask[at & 3]!;
    this.#buffered = buffered.subarray(end);
    this.#take(buffered[0]!, payload);
    return true;
  }

  #take(firstByte: number, payload: Buffer): void {
    const opcode = firstByte & 0x0f;
    if (opcode !== OPCODE_BINARY && opcode !== OPCODE_CONTINUATION) {
      this.#onControl(opcode, payload);
      return;
    }
    this.#parts.push(payload);
    if ((firstByte & 0x80) === 0) return;
    // A copy of its own: small Buffers share a pool, and frames are read through `buffer`.
    this.#onMessage(new Uint8Array(Buffer.concat(this.#parts)));
    this.#parts = [];
  }
}
