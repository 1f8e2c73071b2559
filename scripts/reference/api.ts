/** Generates the Markdown reference of an entry point from the docstrings of its exports. */

import { mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import {
  type ApiDeclaredItem,
  ApiDocumentedItem,
  type ApiItem,
  ApiItemContainerMixin,
  ApiModel,
} from "@microsoft/api-extractor-model";

const root = resolve(import.meta.dirname, "../..");

interface Entry {
  items: readonly ApiItem[];
  /** Types that its exports name, and that it does not export itself. */
  named: readonly string[];
}

/** Exports of an entry point. @param types its declarations, below `dist/types` */
async function readEntry(types: string): Promise<Entry> {
  const folder = await mkdtemp(join(root, ".build/api-"));
  try {
    const apiJsonFilePath = join(folder, "entry.api.json");
    const off = { enabled: false };
    const config = ExtractorConfig.prepare({
      configObjectFullPath: join(root, "api-extractor.json"),
      packageJsonFullPath: join(root, "package.json"),
      configObject: {
        projectFolder: root,
        mainEntryPointFilePath: join(root, "dist/types", types),
        compiler: {
          overrideTsconfig: {
            compilerOptions: {
              target: "es2022",
              module: "esnext",
              moduleResolution: "bundler",
              allowImportingTsExtensions: true,
              noEmit: true,
              skipLibCheck: true,
              lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
              types: [],
            },
            files: [join(root, "dist/types", types)],
          },
        },
        apiReport: off,
        dtsRollup: off,
        tsdocMetadata: off,
        docModel: { enabled: true, apiJsonFilePath },
      },
    });
    const said: string[] = [];
    const named: string[] = [];
    const { succeeded } = Extractor.invoke(config, {
      localBuild: true,
      messageCallback: (message) => {
        if (message.logLevel === "error") said.push(message.text);
        if (message.messageId === "ae-forgotten-export") named.push(/symbol "(\w+)"/.exec(message.text)![1]!);
        message.handled = true;
      },
    });
    if (!succeeded && said.length > 0) throw new Error(said.join("\n"));
    const model = new ApiModel();
    return { items: model.loadPackage(apiJsonFilePath).entryPoints[0]!.members, named };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Docstring as Markdown: links by name, tags as words. */
function textOf(item: ApiItem): string {
  const comment = item instanceof ApiDocumentedItem ? item.tsdocComment : undefined;
  if (!comment) return "";
  return comment
    .emitAsTsdoc()
    .replaceAll(/^\/\*\*|\*\/$/gm, "")
    .replaceAll(/^ ?\* ?/gm, "")
    .replaceAll(/\{@link ([^}|]+)(?:\|[^}]*)?\}/g, "`$1`")
    .replaceAll(/@defaultValue\s+|@default\s+/g, "Default: ")
    .replaceAll(/@throws\s+\{?(\w+)\}?/g, "Throws `$1`")
    .replaceAll(/@param (\w+) -/g, "`$1`:")
    .replaceAll(/@(returns|remarks|see)\s+/g, "")
    .replaceAll(/\\([{}@<>*_[\]])/g, "$1")
    .replaceAll(/\n{2,}/g, "\n\n")
    .trim();
}

const signatureOf = (item: ApiItem): string =>
  (item as ApiDeclaredItem).excerpt.text
    .replaceAll(/^export (declare )?/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|");

function sectionOf(item: ApiItem): string {
  const members = ApiItemContainerMixin.isBaseClassOf(item) ? item.members : [];
  const rows = members.map((one) => `| \`${oneLine(signatureOf(one))}\` | ${oneLine(textOf(one))} |`);
  return [
    `### ${item.displayName}`,
    "",
    `\`\`\`\n${signatureOf(item)}\n\`\`\``,
    ...(textOf(item) ? ["", textOf(item)] : []),
    ...(rows.length > 0 ? ["", "| member | |", "|---|---|", ...rows] : []),
  ].join("\n");
}

const ENTRIES: [name: string, types: string][] = [
  ["infetch", "index.d.ts"],
  ["infetch/billing", "types/billing.d.ts"],
  ["infetch/keys", "types/keys.d.ts"],
  ["infetch/models", "types/models.d.ts"],
  ["infetch/install", "install.d.ts"],
  ["infetch/service-worker", "service-worker/index.d.ts"],
  ["infetch/port", "port/index.d.ts"],
  ["infetch/vite", "bundlers/vite.d.ts"],
  ["infetch/webpack", "bundlers/webpack.d.ts"],
];

/** An export and its members without docstrings. */
function undocumentedIn(item: ApiItem): string[] {
  const members = ApiItemContainerMixin.isBaseClassOf(item) ? item.members : [];
  const undocumented = members
    .filter((one) => textOf(one) === "")
    .map((one) => `${item.displayName}.${one.displayName}`);
  return textOf(item) === "" ? [item.displayName, ...undocumented] : undocumented;
}

/**
 * Exports of all entry points; those without docstrings, with their members; and the types that they name and that no entry
 * exports, so that an app cannot name them. Reads the build.
 */
export async function readReference(): Promise<{
  markdown: string;
  undocumented: string[];
  unnamed: string[];
}> {
  const pages = [
    "# Reference",
    "",
    "Made from the docstrings by `npm run reference`. HTTP is in [openapi.json](openapi.json).",
  ];
  const undocumented: string[] = [];
  const exported = new Set<string>();
  const named: string[] = [];
  for (const [name, types] of ENTRIES) {
    const { items, named: reached } = await readEntry(types);
    for (const { displayName } of items) exported.add(displayName);
    named.push(...reached);
    undocumented.push(...items.flatMap(undocumentedIn).map((missing) => `${name}: ${missing}`));
    pages.push("", `## ${name}`, ...items.flatMap((item) => ["", sectionOf(item)]));
  }
  const unnamed = [...new Set(named)].filter((name) => !exported.has(name));
  return { markdown: `${pages.join("\n")}\n`, undocumented, unnamed };
}
