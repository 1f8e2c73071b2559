/** Sizes of files, and pages in their place, from response headers. */

/** Size of the body; 0 if unknown, as for a compressed one, whose `content-length` is not that of the file. */
export function bodyBytes(headers: Headers): number {
  const encoding = headers.get("content-encoding") ?? "identity";
  return encoding === "identity" ? Number(headers.get("content-length")) || 0 : 0;
}

/** Size of the whole file, from the `content-range` of a part; 0 if unknown. */
export function rangedBytes(headers: Headers): number {
  return Number(/\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1] ?? 0);
}

/** Whether it is an HTML page, which some servers send for a missing file. */
export function isPage(headers: Headers): boolean {
  return headers.get("content-type")?.startsWith("text/html") ?? false;
}
