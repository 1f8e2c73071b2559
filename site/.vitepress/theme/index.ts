// Without the web font, half of the default theme's bytes.
export { default } from "vitepress/theme-without-fonts";
