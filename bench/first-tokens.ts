/** The channel on which the timed engine worker tells when it had a first token. */
export const FIRST_TOKENS = "bench-first-token";
