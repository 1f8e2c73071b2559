/** Messages as the renderer takes them: roles and plain text, whatever endpoint they came from. */
export interface PromptMessage {
  role: "system" | "user" | "assistant" | "tool";
  text: string;
}
