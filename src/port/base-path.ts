/**
 * A base path as the addresses of requests have it: from its first slash, percent-encoded, without slashes at its
 * end. Independent of `location`, whose origin is `null` in an `about:srcdoc` frame.
 */
export function normalizeBasePath(basePath: string): string {
  const slash = basePath.startsWith("/") ? "" : "/";
  return new URL(`https://any.example${slash}${basePath}`).pathname.replace(/\/+$/, "");
}
