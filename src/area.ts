import type { Connection } from "./port/connection.ts";
import { AREA_METHODS, type Areas, type CallsOf } from "./protocol/areas.ts";

/**
 * The calls of one area of the server, as plain methods: each forwards its arguments as they are.
 *
 * @param connect opens the connection, or gives the open one
 */
export function createArea<Area extends keyof Areas>(
  connect: () => Promise<Connection>,
  area: Area,
): CallsOf<Areas[Area]> {
  const method = (name: string) => [
    name,
    async (...values: unknown[]) => (await connect()).call(area, name, values),
  ];
  return Object.fromEntries(AREA_METHODS[area].map(method));
}
