/** Progress of one load. */
export interface LoadProgress {
  phase: "download" | "compile";
  loadedBytes: number;
  totalBytes: number;
  fraction: number;
  /** Memory of the loaded model with its context, once it is planned. */
  memoryBytes?: number;
  /** Memory that a later load asks for. */
  neededBytes?: number;
  /** Set while the load waits for a server that limits the rate of requests: until when, in Unix milliseconds. */
  waitsUntil?: number;
}
