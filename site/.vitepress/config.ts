import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { anchorOf } from "../anchor.ts";
import { readRepository } from "../markdown.ts";
import { REWRITES, root } from "../pages.ts";
import { sidebar } from "../sidebar.ts";

const { description, repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const repositoryURL: string | undefined = repository?.url?.replace(/^git\+/, "").replace(/\.git$/, "");

export default defineConfig({
  title: "infetch",
  description,
  srcDir: root,
  srcExclude: ["{bench,demo,models,scripts,src,stubs,test,worker}/**", ".*/**"],
  rewrites: REWRITES,
  outDir: join(root, ".build/site"),
  cacheDir: join(root, ".build/site-cache"),
  vite: { configFile: false, publicDir: false },
  markdown: {
    anchor: { slugify: anchorOf },
    config: (md) => readRepository(md, repositoryURL && `${repositoryURL}/blob/HEAD/`),
  },
  transformHead: ({ siteData }) => [["link", { rel: "icon", href: `${siteData.base}icon.svg` }]],
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local" },
    nav: [
      { text: "Live console", link: "/demo/", target: "_self" },
      { text: "API", link: "/reference/api" },
      { text: "Decisions", link: "/decisions/" },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    ...(repositoryURL && { socialLinks: [{ icon: "github", link: repositoryURL }] }),
  },
});
