import { TransientFailure } from "../retry.ts";

/** One JSON response of the hub's API. */
export interface Page {
  value: unknown;
  /** Address of the next page. */
  next: string | undefined;
  bytes: number;
}

/**
 * @param most bytes that are read
 * @returns undefined if it is too long, empty (204) or no JSON
 * @throws {TransientFailure} if the connection breaks
 */
export async function readPage(response: Response, most: number): Promise<Page | undefined> {
  if (!response.body) return undefined;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new TransientFailure("the connection was lost", { cause });
    });
    if (done) break;
    bytes += value.byteLength;
    if (bytes > most) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  try {
    return { value: JSON.parse(text + decoder.decode()), next: nextOf(response.headers.get("link")), bytes };
  } catch {
    return undefined;
  }
}

function nextOf(link: string | null): string | undefined {
  return /<([^>]+)>;\s*rel="next"/.exec(link ?? "")?.[1];
}
