/** Cache URL prefix of all versions of a model that the runtime's options name by URL, of any kind. */
export function ownFolder(id: string): string {
  return embeddingFolder(`own/${id}`);
}

/**
 * Cache URL prefix of all versions of an embedding model. Not a real host: it only identifies the model.
 *
 * @param cacheId `<name>`, or `<name>/<name>`, in which all that follows the first slash is one segment
 */
export function embeddingFolder(cacheId: string): string {
  const [first, ...rest] = cacheId.split("/");
  const segments = rest.length === 0 ? [first!] : [first!, rest.join("/")];
  const path = segments.map((segment) => segment.replace(/[%?#/\\]/g, encodeURIComponent)).join("/");
  return new URL(`https://infetch.invalid/${path}/`).href;
}
