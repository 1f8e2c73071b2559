/** What both views show instead of an answer. */

import { create, element } from "./elements.ts";

/** Turns `place` into an alert with the reason and a way to try again. */
export function showFailure(place: HTMLElement, reason: string, retry: () => void): void {
  const button = create("button", "retry", "Try again");
  button.type = "button";
  button.addEventListener("click", retry);
  place.setAttribute("role", "alert");
  place.append(create("p", "reason", reason), button);
}

/** Fills the empty state with the reason why a view cannot be used at all. */
export function showObstacle(emptyId: string, title: string, text: string): void {
  const empty = element(emptyId, HTMLElement);
  empty.classList.add("obstacle");
  empty.replaceChildren(create("h2", "", title), create("p", "", text));
}

/** Adds a button for each example; pressing one hands it to `onChoose`. */
export function showSuggestions(placeId: string, examples: string[], onChoose: (text: string) => void): void {
  for (const example of examples) {
    const button = create("button", "suggestion", example);
    button.type = "button";
    button.addEventListener("click", () => onChoose(example));
    element(placeId, HTMLElement).append(button);
  }
}

/** The SDK puts the status before the runtime's message: people need only the latter. */
export function reasonOf(error: unknown): string {
  return (error as Error).message.replace(/^\d{3} /, "");
}
