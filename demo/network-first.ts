/**
 * Answers from the network and keeps the response; without a network, from the cache of this name. A response that
 * cannot be kept, for example because the storage is full, is answered nevertheless.
 *
 * @throws the network's error if nothing is kept
 */
export async function networkFirst(request: Request, cacheName: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(request);
  } catch (error) {
    const kept = await caches.match(request, { cacheName }).catch(() => undefined);
    if (kept) return kept;
    throw error;
  }
  if (response.status === 200) {
    const copy = response.clone();
    await caches
      .open(cacheName)
      .then((cache) => cache.put(request, copy))
      // Not awaited: it ends only with the other copy.
      .catch(() => void copy.body?.cancel().catch(() => {}));
  }
  return response;
}
