/** A part of the server that is a file of its own, loaded with its first use (decision 111). */

/** The file did not come: the page is offline without it, or not all of the package was copied to the host. */
export class PartError extends Error {
  override name = "PartError" as const;
  readonly code = "part_unavailable";

  constructor(cause: unknown) {
    super(
      "A part of infetch's server did not load. Check the connection, and that all files of the package are served; then reload the page.",
      { cause },
    );
  }
}

/** @throws {PartError} */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    throw new PartError(error);
  }
}
