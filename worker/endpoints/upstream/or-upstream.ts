import { loadPart } from "../../lazy/part.ts";
import type { Handler } from "../endpoint.ts";

/**
 * Wraps the endpoint `path` with the upstream, if one is configured.
 *
 * @param here handles requests that are not forwarded
 */
export function orUpstream(path: string, here: Handler): Handler {
  return async (context, services) => {
    const { upstream } = services;
    if (!upstream) return here(context, services);
    const { forwardOr } = await loadPart(() => import("./forward.ts"));
    return forwardOr({ path, here, upstream }, context, services);
  };
}
