import { infetch } from "infetch/vite";

/** Writes the list of files that the service worker keeps. */
const fileList = {
  name: "file-list",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const source = JSON.stringify(["./", "manifest.webmanifest", ...Object.keys(bundle)]);
      this.emitFile({ type: "asset", fileName: "files.json", source });
    },
  },
};

export default { base: "./", plugins: [infetch({ engines: ["webllm", "llamacpp"] }), fileList] };
