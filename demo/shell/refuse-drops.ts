/** Files dropped where nothing takes them: the browser would open them in place of the page. */

/** Call once. Handlers of elements that take files call `preventDefault()` first. */
export function refuseDrops(): void {
  for (const type of ["dragover", "drop"] as const) {
    window.addEventListener(type, (event) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    });
  }
}
