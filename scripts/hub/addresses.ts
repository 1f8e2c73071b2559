/** The addresses of the stand-in hub. */

interface HubAddress {
  /** `cached` serves small files, where `resolve` redirects. */
  type: "model" | "tree" | "resolve" | "cached";
  /** `<org>/<model>` */
  name: string;
  revision: string;
  /** Of the file in the repository. */
  path: string;
}

/** @returns undefined for an address that the stand-in does not have */
export function readAddress(pathname: string): HubAddress | undefined {
  const segments = pathname.split("/").slice(1).map(decodeURIComponent);
  const of = (type: HubAddress["type"], [org, model, revision = "main", ...rest]: string[]): HubAddress => ({
    type,
    name: `${org}/${model}`,
    revision,
    path: rest.join("/"),
  });
  const [first, second, third, ...rest] = segments;
  if (first === "api" && second === "models") {
    const [model, area, ...revision] = rest;
    const name = [third!, model!];
    if (area === "tree") return of("tree", [...name, ...revision]);
    return area === undefined || area === "revision" ? of("model", [...name, ...revision]) : undefined;
  }
  if (first === "api" && second === "resolve-cache") return of("cached", rest);
  return third === "resolve" ? of("resolve", [first!, second!, ...rest]) : undefined;
}

export function cachedAddress(name: string, commit: string, path: string, oid: string): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return `/api/resolve-cache/models/${name}/${commit}/${encoded}?etag=%22${oid}%22`;
}
