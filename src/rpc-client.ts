import { plain } from "./options/addresses.ts";
import type { Connection } from "./port/connection.ts";
import { type CallsOf, RPC_METHODS, type Rpc } from "./protocol/rpc.ts";

/**
 * The methods of one RPC group; arguments are forwarded unchanged if they can be cloned.
 *
 * @param connect returns the connection, opening it if needed
 */
export function createRpcClient<Group extends keyof Rpc>(
  connect: () => Promise<Connection>,
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
