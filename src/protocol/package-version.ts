/** Set by the build. */
declare const __PACKAGE_VERSION__: string | undefined;

/** The package's version; the same in the entry and in its workers, unless their files are of different releases. */
export const PACKAGE_VERSION = typeof __PACKAGE_VERSION__ === "string" ? __PACKAGE_VERSION__ : "source";
