/** A size in an error message, for example `1,234.5 MB`. */
export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}

/** Sum of the sizes of files, parts or models. */
export function totalBytes(sized: readonly { bytes: number }[]): number {
  return sized.reduce((sum, { bytes }) => sum + bytes, 0);
}
