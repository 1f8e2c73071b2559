/** The database of files and batches of a server. A separate module, so that the name loads nothing else. */
export function filesName(storageName: string): string {
  return `${storageName}-files`;
}
