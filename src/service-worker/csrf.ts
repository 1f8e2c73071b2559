/**
 * Protection against cross-site request forgery: which requests get the lent key. A service worker also sees navigations
 * that other sites start, such as the submission of a form.
 */

const BY_SCRIPT = new Set<RequestMode>(["cors", "same-origin"]);
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** Whether a script of this origin sent it: not a navigation, form, element or other origin. */
export function isSentByOwnScript({ mode, destination, headers, referrer }: Request): boolean {
  const site = headers.get("sec-fetch-site") ?? "same-origin";
  return (
    BY_SCRIPT.has(mode) &&
    destination === "" &&
    site === "same-origin" &&
    isOwn(headers.get("origin")) &&
    isOwn(referrer)
  );
}

/** Whether the body, if any, has a type that no form can send. */
export function isJsonOrEmpty({ headers }: Request, body: Blob | undefined): boolean {
  const type = headers.get("content-type");
  return !body || (type === null ? body.size === 0 : JSON_TYPE.test(type));
}

/** Missing values and non-HTTP values such as `about:client` count as own. */
function isOwn(address: string | null): boolean {
  if (!address || !/^https?:/.test(address)) return address !== "null";
  return new URL(address).origin === location.origin;
}
