import { PatternRouter } from "hono/router/pattern-router";

/** The route of a path, and its path parameters. */
interface Matched<Route> {
  route: Route;
  params: Record<string, string>;
}

/**
 * Routes paths by pattern: `/v1/files/:file_id`, `/v1/models/:model{.+}`. Uses hono's router without the framework,
 * which would add 7 kB to the server worker.
 */
export class Router<Route> {
  readonly #router = new PatternRouter<Route>();

  add(pattern: string, route: Route): void {
    this.#router.add("ALL", pattern, route);
  }

  /** Undefined if no pattern matches. A trailing slash does not match. */
  match(path: string): Matched<Route> | undefined {
    const [found] = this.#router.match("ALL", decoded(path, decodeURI));
    const first = path.endsWith("/") ? undefined : found[0];
    if (!first) return undefined;
    const [route, params] = first as [Route, Record<string, string>];
    const values = Object.entries(params).map(([name, value]) => [name, decoded(value, decodeURIComponent)]);
    return { route, params: Object.fromEntries(values) };
  }
}

/** Keeps invalid escapes. `%25` is left to the second decoding, so that nothing is decoded twice. */
function decoded(text: string, decode: (text: string) => string): string {
  try {
    return decode(decode === decodeURI ? text.replaceAll("%25", "%2525") : text);
  } catch {
    return text;
  }
}
