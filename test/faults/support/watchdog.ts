/** Fails what hangs, and says what it was waiting for. */

const LIMIT_MS = 60_000;

/** @throws {Error} that names `what`, when `work` has not ended in a minute: far longer than any of it takes */
export async function ends<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`This hangs: ${what}.`)), LIMIT_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
