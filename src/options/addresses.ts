/** Resolves URLs in options. */

/** A JSON copy for the server: URLs become strings, and values that cannot be cloned are dropped. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

/** @throws {TypeError} that names the option, for a value with a BigInt or a cycle */
export function plainOption<T>(name: string, value: T): T {
  try {
    return plain(value);
  } catch (cause) {
    throw new TypeError(`${name} must be plain data: ${(cause as Error).message}`, { cause });
  }
}

/** Makes the URL in `name` absolute. An invalid URL is unchanged: the server reports it with the other errors. */
export function absolute<T>(value: T, name: keyof T & string, here: string): T {
  const address = value?.[name];
  if (typeof address !== "string" || !URL.canParse(address, here)) return value;
  return {
    ...value,
    [name]: name === "baseURL" ? new URL(address, here).href : folderURL(name, address, here).href,
  };
}

/** Appends exactly one slash, so that file names can be resolved against it. */
export function folderURL(name: string, address: string | URL, here: string): URL {
  return addressOf(name, `${String(address).replace(/\/+$/, "")}/`, here);
}

function addressOf(name: string, address: string | URL, here: string): URL {
  try {
    return new URL(address, here);
  } catch (cause) {
    throw new TypeError(`${name} is not a valid URL: ${address}`, { cause });
  }
}

/**
 * @param address by default `/v1` on the page's origin
 * @throws {TypeError} for a URL that no Request can have, or that has no paths under it, such as `about:` and `data:`
 */
export function apiAddress(address: string | URL | undefined, origin: string, here: string): URL {
  const url = addressOf("baseURL", address || defaultAddress(origin), here);
  if (url.host === "" || url.username !== "" || url.password !== "")
    throw new TypeError("baseURL must have a host, and no user name or password.");
  url.pathname = url.pathname.replace(/\/+$/, "");
  url.search = "";
  url.hash = "";
  return url;
}

/** What relative addresses resolve against. Nothing resolves against a `blob:` URL, which an inlined worker has. */
export function addressHere(origin: string): string {
  const here = typeof document === "undefined" ? location.href : document.baseURI;
  return here.startsWith("blob:") ? origin : here;
}

/** Electron's pages from files have storage, but no host: a Request needs one. */
function defaultAddress(origin: string): URL {
  const url = new URL("/v1", origin);
  return url.host ? url : new URL("https://infetch.invalid/v1");
}
