/** Server end of the page's WebSocket: binary messages only. */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";

interface WebSocketHandlers {
  onMessage(bytes: Uint8Array<ArrayBuffer>): void;
  /** Called once, whichever end closes the connection. */
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
  const server = new WebSocketServer({ noServer: true });
  // Set before this returns, because the handshake of an upgraded socket is synchronous.
  let send: (bytes: Uint8Array) => void = () => {};
  server.handleUpgrade(request, socket, Buffer.alloc(0), (connection) => {
    send = (bytes) => connection.send(bytes);
    // Copy: small Buffers share a pool, and frames are read through `buffer`.
    connection.on("message", (data) => handlers.onMessage(new Uint8Array(data as Buffer)));
    // Every error is followed by `close`.
    connection.on("error", () => {});
    connection.once("close", () => handlers.onClose());
  });
  return { send: (bytes) => send(bytes), close: () => socket.destroy() };
}
