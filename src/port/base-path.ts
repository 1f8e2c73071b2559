/**
 * A base path as the addresses of requests have it: from its first slash, percent-encoded, without slashes at its
 * end. Independent of `location`, whose origin is `null` in an `about:srcdoc` frame.
 *
 * @throws {TypeError} for anything but a string
 */
export function normalizeBasePath(basePath: string): string {
  if (typeof basePath !== "string") throw new TypeError("basePath must be a string, such as /v1.");
  const slash = basePath.startsWith("/") ? "" : "/";
  return new URL(`https://any.example${slash}${basePath}`).pathname.replace(/\/+$/, "");
}
