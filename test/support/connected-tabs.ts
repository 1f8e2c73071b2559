import { afterEach, beforeEach, vi } from "vitest";
import { Connection } from "../../src/port/connection.ts";
import type { RuntimeEvent } from "../../src/protocol/events.ts";
import { Connections } from "../../worker/server/connections.ts";
import { Pages } from "../../worker/server/pages.ts";
import { KeyRing } from "../../worker/usage/keys/key-ring.ts";
import { FakeWebLocks } from "../fakes/fake-web-locks.ts";
import type { KeyedTab, Origin } from "./keyed-app.ts";

/**
 * Call at the top of a test file. Returns a function that connects a page to the server of a tab, over a port.
 * `onEvent` receives the page's events.
 */
export function connectedTabs(): (
  tab: KeyedTab,
  origin: Origin,
  onEvent?: (event: RuntimeEvent) => void,
) => Promise<Connection> {
  let locks: FakeWebLocks;
  beforeEach(() => {
    locks = new FakeWebLocks();
    vi.stubGlobal("navigator", { locks });
  });
  afterEach(() => vi.unstubAllGlobals());
  return async (tab, origin, onEvent = () => {}) => {
    const { port1, port2 } = new MessageChannel();
    const serverLock = "server of the tab";
    void locks.request(serverLock, () => new Promise(() => {}));
    const connections = new Connections({
      app: tab.app,
      pages: new Pages(),
      keys: new KeyRing(),
      clock: origin.clock,
      serverLock,
      options: {} as never,
      rpc: {} as never,
      reverseUsage: tab.reverseUsage,
      costUsd: tab.ledger.costUsd,
    });
    connections.accept(port2);
    return Connection.open(port1, { pageId: "page", basePath: "/v1" }, onEvent);
  };
}
