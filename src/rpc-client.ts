import { plain } from "./options/addresses.ts";
import type { Connection } from "./port/connection.ts";
import { type CallsOf, RPC_METHODS, type Rpc } from "./protocol/rpc/rpc.ts";
import { abortable } from "./shared/abortable.ts";
import type { Models } from "./types/models.ts";

/** Returns the connection, opening it if needed. */
type Connect = () => Promise<Connection>;

/** The methods of one RPC group; arguments are forwarded unchanged if they can be cloned. */
export function createRpcClient<Group extends keyof Rpc>(
  connect: Connect,
  group: Group,
): CallsOf<Rpc[Group]> {
  const method = (name: string) => [
    name,
    async (...values: unknown[]) => (await connect()).call(group, name, values.map(cloneable)),
  ];
  return Object.fromEntries(RPC_METHODS[group].map(method));
}

/** The reactive objects of Vue and Svelte are proxies, which cannot be cloned: their JSON is sent. */
function cloneable(value: unknown): unknown {
  if (typeof value !== "object") return value;
  try {
    structuredClone(value);
    return value;
  } catch {
    return plain(value);
  }
}

/** `runtime.models.load()`: its signal stays in the page, and cancels through another call. */
export function loadWithSignal(connect: Connect, calls: Pick<Models, "cancel" | "load">): Models["load"] {
  return async (model, { signal } = {}) => {
    if (!signal) return calls.load(model);
    // Rejects on abort even if no server ever answers.
    signal.throwIfAborted();
    await abortable(connect(), signal);
    signal.throwIfAborted();
    const cancel = (): void => void calls.cancel(model).catch(() => {});
    signal.addEventListener("abort", cancel);
    try {
      return await calls.load(model);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}
