import { type Remote, transfer } from "comlink";
import type { Lifetime } from "../protocol/liveness/lifetime.ts";
import { holdLock } from "../protocol/liveness/liveness.ts";
import { type Hello, PROTOCOL_VERSION, type ServerEndpoint } from "../protocol/wire.ts";
import { unwrap } from "./unwrap.ts";

/** The page's part of the hello. */
export type PageIdentity = Pick<Hello, "pageId" | "key" | "optionsJSON" | "basePath">;

interface HelloContext {
  /** The port that the server sends events to. */
  events: MessagePort;
  /** Aborts when the page leaves the server. */
  signal: AbortSignal;
  /** How long to wait for the server. */
  lifetime: Lifetime;
}

/**
 * Holds the page's Web Lock and sends the hello, the first call on every port.
 *
 * @returns the server's Web Lock
 * @throws {ProtocolVersionError | RuntimeOptionsConflictError}; the error that ends the lifetime
 */
export async function sendHello(
  remote: Remote<ServerEndpoint>,
  page: PageIdentity,
  { events, signal, lifetime }: HelloContext,
): Promise<string> {
  const pageLock = `infetch:${PROTOCOL_VERSION}:page:${page.pageId}:${crypto.randomUUID()}`;
  await lifetime.within(holdLock(pageLock, signal));
  const hello: Hello = { ...page, protocolVersion: PROTOCOL_VERSION, pageLock, events };
  return unwrap(await lifetime.within(remote.hello(transfer(hello, [events])))).serverLock;
}
