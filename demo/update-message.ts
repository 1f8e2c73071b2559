/** What the page tells a service worker that waits: take over now. */
export const UPDATE_NOW = "update-now";
