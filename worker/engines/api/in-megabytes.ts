/** A size in an error message, for example `1,234.5 MB`. */
export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}
