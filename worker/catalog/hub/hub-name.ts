/**
 * Names of hub models: `<org>/<model>`, or with a branch, tag or commit `<org>/<model>@<revision>`.
 * `hub-name-errors.ts` has the messages for invalid ones.
 */

export interface HubName {
  /** `<org>/<model>` */
  repository: string;
  revision: string;
}

const DEFAULT_REVISION = "main";
/** The limit of git hosts for the name of a reference. */
export const MAX_REVISION_LENGTH = 250;

/** `<org>/<model>`, as in hubs, with or without a revision. Catalogue models and deployments never have such a name. */
export function isHubName(name: string): boolean {
  return /^[^/\s@]+\/[^/\s@]+(?:@.*)?$/s.test(name);
}

/** @returns undefined for a name that is invalid, or that no hub has */
export function parseHubName(name: string): HubName | undefined {
  return isHubName(name) && hubNameFault(name) === undefined ? toHubName(name) : undefined;
}

/** As {@link parseHubName}; some repositories of the hub have no organisation. */
export function parseHubId(hubId: string): HubName | undefined {
  const isBare = /^[^/]+@|^[^/]+$/.test(hubId) && parseHubName(`_/${hubId}`) !== undefined;
  return isBare ? toHubName(hubId) : parseHubName(hubId);
}

function toHubName(name: string): HubName {
  const [repository, revision = DEFAULT_REVISION] = split(name);
  return { repository, revision };
}

/** The name of a revision of a repository; the default revision is not named. */
export function hubNameOf({ repository, revision }: HubName): string {
  return revision === DEFAULT_REVISION ? repository : `${repository}@${revision}`;
}

/** Equal for names of the same model, such as `org/model` and `org/model@main`; other names stay as they are. */
export function canonicalName(name: string): string {
  const parsed = parseHubName(name);
  return parsed ? hubNameOf(parsed) : name;
}

/** The part of a hub name that is invalid. */
export type HubNameFault = "colon" | "repository" | RevisionFault;
type RevisionFault = "emptyRevision" | "longRevision" | "revision";

/** What is wrong with a name that has the form of a hub name; undefined if nothing is. */
export function hubNameFault(name: string): HubNameFault | undefined {
  if (!isHubName(name)) return undefined;
  const [repository, revision] = split(name);
  if (/^[^:]+:[\w.-]+$/.test(repository)) return "colon";
  if (!repository.split("/").every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part)))
    return "repository";
  return revision === undefined ? undefined : revisionFault(revision);
}

/**
 * What is wrong with the name of a branch, tag or commit, by the rules of `git check-ref-format`; undefined if nothing
 * is. It becomes one segment of an address.
 */
export function revisionFault(revision: string): RevisionFault | undefined {
  if (revision === "") return "emptyRevision";
  if (revision.length > MAX_REVISION_LENGTH) return "longRevision";
  // Control characters, lone surrogates, and what git forbids.
  const isForbidden = /[\p{Cc}\p{Cs}\s~^:?*[\\]|\.\.|@\{/u.test(revision);
  const isPart = (part: string): boolean => part !== "" && !/^\.|\.$|\.lock$/.test(part);
  return !isForbidden && revision.split("/").every(isPart) ? undefined : "revision";
}

function split(name: string): [repository: string, revision?: string] {
  const at = name.indexOf("@");
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
}
