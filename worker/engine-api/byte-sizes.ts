/** A size in an error message, for example `1,234.5 MB` or, of a small file, `2.1 kB`. */
export function formatBytes(bytes: number): string {
  const [unit, name] = bytes > 0 && bytes < 1e6 ? [1e3, "kB"] : [1e6, "MB"];
  return `${(bytes / unit).toLocaleString("en", { maximumFractionDigits: 1 })} ${name}`;
}

/** Sum of the sizes of files, parts or models. */
export function totalBytes(sized: readonly { bytes: number }[]): number {
  return sized.reduce((sum, { bytes }) => sum + bytes, 0);
}
