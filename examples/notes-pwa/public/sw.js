/** Keeps every file of the build at the first visit; then answers from the copy. */

const CACHE = "notes-1"; // raise it with each release

self.addEventListener("install", (event) => {
  const fill = async () => {
    const files = await (await fetch("files.json", { cache: "no-cache" })).json();
    const cache = await caches.open(CACHE);
    await cache.addAll(files.map((file) => new Request(file, { cache: "no-cache" })));
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("notes-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const answer = async () => (await (await caches.open(CACHE)).match(event.request)) ?? fetch(event.request);
  event.respondWith(answer());
});
