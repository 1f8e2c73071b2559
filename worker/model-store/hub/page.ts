import { readText } from "../../../src/shared/read-text.ts";
import { TransientFailure } from "../download/retry.ts";

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
  const read = await readText(response.body, most).catch((cause) => {
    throw new TransientFailure("the connection was lost", { cause });
  });
  try {
    return (
      read && { value: JSON.parse(read.text), next: nextOf(response.headers.get("link")), bytes: read.bytes }
    );
  } catch {
    return undefined;
  }
}

function nextOf(link: string | null): string | undefined {
  return /<([^<>]+)>;\s*rel="next"/.exec(link ?? "")?.[1];
}
