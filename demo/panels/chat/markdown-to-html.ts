/** Converts Markdown of a model to HTML that is not yet sanitized. Independent of the DOM. */

import { Marked } from "marked";

/** HTML in Markdown is shown as text: a model's `<b>` is usually an example. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: { html: ({ text }) => escapeMarkup(text), image: ({ text }) => escapeMarkup(text) },
});

/** Text nested too deeply for `marked`, such as a model's endless `> > >`, stays as it is. */
export function markdownToHTML(text: string): string {
  try {
    return marked.parse(text, { async: false });
  } catch {
    return `<p>${escapeMarkup(text)}</p>`;
  }
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
