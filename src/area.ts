import type { Connection } from "./port/connection.ts";
import type { Areas, CallsOf } from "./protocol/areas.ts";

/**
 * The calls of one area of the server, as plain methods.
 *
 * @param connect opens the connection, or gives the open one
 * @param names of the methods: each forwards its arguments as they are
 */
export function createArea<Area extends keyof Areas, Name extends keyof Areas[Area] & string>(
  connect: () => Promise<Connection>,
  area: Area,
  names: readonly Name[],
): Pick<CallsOf<Areas[Area]>, Name> {
  const method = (name: Name) => [
    name,
    async (...values: unknown[]) => (await connect()).call(area, name, values),
  ];
  return Object.fromEntries(names.map(method));
}
