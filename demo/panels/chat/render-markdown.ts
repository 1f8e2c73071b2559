/** Markdown of a model → harmless nodes. What a model writes is hostile until it has been through here. */

import createPurifier from "dompurify";
import { Marked } from "marked";

/** Markup in Markdown is shown as the text that it is: a model's `<b>` is more likely an example than a wish. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: { html: ({ text }) => escapeMarkup(text), image: ({ text }) => escapeMarkup(text) },
});
const purifier = createPurifier(window);

/** No pictures: their address alone would tell another server what was said. No forms, no styles. */
const ALLOWED_TAGS =
  "a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup table tbody td th thead tr ul".split(
    " ",
  );
const ALLOWED_ATTR = ["href", "title", "align", "start"];

purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.nodeName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer nofollow");
});

export function renderMarkdown(text: string): DocumentFragment {
  return purifier.sanitize(marked.parse(text, { async: false }), {
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
