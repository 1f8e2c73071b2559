/** Whether a text ends inside a thought. */
export function endsInThought(text: string, { open, close }: { open: string; close: string }): boolean {
  return text.lastIndexOf(open.trim()) > text.lastIndexOf(close.trim());
}
