/** Replies that run side by side: MLC's kernels read the weights once for up to four rows, twice for five to eight. */
export const PARALLEL = 4;
