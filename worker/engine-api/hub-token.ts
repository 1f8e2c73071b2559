import type { HubSource } from "./model-files.ts";

/** Adds the token to a build whose files are a hub's. Records have none, so that nothing shows it. */
export function withHubToken<Files extends { hub?: HubSource }>(
  files: Files,
  token: string | undefined,
): Files {
  return token === undefined || !files.hub ? files : { ...files, hub: { ...files.hub, token } };
}
