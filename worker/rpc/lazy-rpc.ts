/** RPC groups that pages call besides HTTP, each imported on its first call: many pages make none. */

import { RPC_METHODS, type Rpc } from "../../src/protocol/rpc/rpc.ts";
import { loadPart, type PartError } from "../lazy/part.ts";

type Call = (...values: unknown[]) => Promise<unknown>;

/** A group that is loaded on its first call. A failed load fails that call; the next call retries. */
export function lazyRpc<Group extends keyof Rpc>(group: Group, load: () => Promise<Rpc[Group]>): Rpc[Group] {
  let loaded: Rpc[Group] | undefined;
  const call =
    (name: keyof Rpc[Group]): Call =>
    async (...values) => {
      try {
        // Concurrent first calls both load the group: keep one instance, as it has state.
        const made = loaded ?? (await loadPart(load));
        loaded ??= made;
      } catch (error) {
        const { code, message } = error as PartError;
        return { ok: false, error: { name: "InfetchError", code, message } };
      }
      return (loaded[name] as Call)(...values);
    };
  return rpcGroup(group, call);
}

/** A group whose calls `callOf` makes. */
export function rpcGroup<Group extends keyof Rpc>(
  group: Group,
  callOf: (name: keyof Rpc[Group]) => Call,
): Rpc[Group] {
  const names = RPC_METHODS[group] as readonly string[] as readonly (keyof Rpc[Group])[];
  const methods: unknown = Object.fromEntries(names.map((name) => [name, callOf(name)]));
  return methods as Rpc[Group];
}
