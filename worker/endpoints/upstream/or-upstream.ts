import { loadPart } from "../../lazy/part.ts";
import type { Handler } from "../endpoint.ts";

/**
 * The endpoint `path`, with an upstream in front of it where one is configured; few pages have one.
 *
 * @param here answers what is not forwarded
 */
export function orUpstream(path: string, here: Handler): Handler {
  return async (context, services) => {
    const { upstream } = services;
    if (!upstream) return here(context, services);
    const { forwardOr } = await loadPart(() => import("./forward.ts"));
    return forwardOr(path, here, upstream, context, services);
  };
}
