import { PatternRouter } from "hono/router/pattern-router";

/** A path's route, and what stood in the path where the pattern has names. */
export interface Matched<Route> {
  route: Route;
  params: Record<string, string>;
}

/**
 * Paths by pattern: `/v1/files/:file_id`, `/v1/models/:model{.+}`. It is hono's router without the framework around
 * it, which is seven kilobytes of the server worker for what `Response` and a table of handlers do here.
 */
export class Router<Route> {
  readonly #router = new PatternRouter<Route>();

  add(pattern: string, route: Route): void {
    this.#router.add("ALL", pattern, route);
  }

  /** Undefined where no pattern fits. A slash at the end makes it another path. */
  match(path: string): Matched<Route> | undefined {
    const [found] = this.#router.match("ALL", decoded(path, decodeURI));
    const first = path.endsWith("/") ? undefined : found[0];
    if (!first) return undefined;
    const [route, params] = first as [Route, Record<string, string>];
    const values = Object.entries(params).map(([name, value]) => [name, decoded(value, decodeURIComponent)]);
    return { route, params: Object.fromEntries(values) };
  }
}

/** What is no valid escape stays as it is. `%25` is left to the second decoding, so that nothing is decoded twice. */
function decoded(text: string, decode: (text: string) => string): string {
  try {
    return decode(decode === decodeURI ? text.replaceAll("%25", "%2525") : text);
  } catch {
    return text;
  }
}
