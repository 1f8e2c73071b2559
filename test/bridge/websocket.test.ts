/** WebSocket server: messages of every length arrive complete in both directions; the close is reported once. */

import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { acceptWebSocket, type ServerWebSocket } from "../../scripts/host/websocket.ts";
import { closeServer, listen } from "../../scripts/servers/static-server.ts";

const server = createServer();
const received: Uint8Array[] = [];
const closed: string[] = [];
let accepted: ServerWebSocket;
let address: string;

beforeAll(async () => {
  server.on("upgrade", (request, socket) => {
    accepted = acceptWebSocket(request, socket, {
      onMessage: (bytes) => received.push(bytes),
      onClose: () => closed.push(request.url!),
    });
  });
  address = (await listen(server, 0)).replace("http:", "ws:");
});

afterAll(() => closeServer(server));

async function connect(path: string): Promise<WebSocket> {
  const client = new WebSocket(`${address}${path}`);
  await new Promise((resolve, reject) => client.once("open", resolve).once("error", reject));
  return client;
}

const bytesOf = (length: number): Uint8Array => new Uint8Array(length).map((_, at) => at * 7);

test.each([0, 1, 125, 126, 65_535, 65_536, 3_000_000])("%d bytes cross whole, both ways", async (length) => {
  received.length = 0;
  const client = await connect("/lengths");
  client.send(bytesOf(length));
  await expect.poll(() => received.length).toBe(1);
  expect(Buffer.compare(received[0]!, bytesOf(length))).toBe(0);
  // Frames are read through `buffer`, so it must hold nothing else.
  expect(received[0]!.buffer.byteLength).toBe(length);
  const answer = new Promise<Buffer>((resolve) => client.once("message", resolve));
  accepted.send(bytesOf(length));
  expect(Buffer.compare(await answer, bytesOf(length))).toBe(0);
  client.terminate();
});

test.each([
  ["/closed", (client: WebSocket) => client.close()],
  ["/cut", (client: WebSocket) => client.terminate()],
  ["/ended", () => accepted.close()],
])("a connection that is over (%s) is reported once, and sending then does nothing", async (path, end) => {
  const client = await connect(path);
  client.on("error", () => {});
  end(client);
  await expect.poll(() => closed.filter((one) => one === path).length).toBe(1);
  accepted.send(bytesOf(5));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(closed.filter((one) => one === path)).toHaveLength(1);
});
