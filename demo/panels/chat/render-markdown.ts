/** Converts untrusted Markdown of a model to sanitized nodes. */

import createPurifier from "dompurify";
import { markdownToHTML } from "./markdown-to-html.ts";

const purifier = createPurifier(window);

/** No images: a request for one could leak the conversation. No forms, no styles. */
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
  return purifier.sanitize(markdownToHTML(text), {
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
