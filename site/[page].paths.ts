/** Pages without a document of their own: the decisions, the HTTP API, and each example with its files. */

import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { examples, fileAnchor, root } from "./pages.ts";
import { decisions } from "./sidebar.ts";

function decisionsPage(): string {
  const items = decisions.map(({ text, link }) => `- [${text}](${link}.md)`);
  return `# Decisions\n\n${items.join("\n")}`;
}

/** The operations of the OpenAPI document. */
function httpPage(): string {
  const { paths } = JSON.parse(readFileSync(join(root, "docs/reference/openapi.json"), "utf8"));
  const rows = Object.entries<Record<string, { summary: string }>>(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { summary }]) => `| ${method.toUpperCase()} \`${path}\` | ${summary} |`,
    ),
  );
  const document = "The [OpenAPI document](/reference/openapi.json) has parameters, bodies and responses.";
  return ["# HTTP API", document, ["| operation | |", "|---|---|", ...rows].join("\n")].join("\n\n");
}

function examplePage(name: string): string {
  const folder = join(root, "examples", name);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((file) => !/^(node_modules|dist)\//.test(file))
    .sort();
  const sections = files.map((file) => {
    const code = readFileSync(join(folder, file), "utf8").trimEnd();
    const language = file.endsWith(".webmanifest") ? "json" : extname(file).slice(1);
    return `## <code>${file}</code> {#${fileAnchor(file)}}\n\n\`\`\`\`${language}\n${code}\n\`\`\`\``;
  });
  return [`# Example: ${name}`, ...sections].join("\n\n");
}

export default {
  paths: () => [
    { params: { page: "decisions/index" }, content: decisionsPage() },
    { params: { page: "reference/http" }, content: httpPage() },
    ...examples.map((name) => ({ params: { page: `examples/${name}` }, content: examplePage(name) })),
  ],
};
