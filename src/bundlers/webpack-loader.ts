/** The loader of `infetch/webpack`: replaces the address of the package's files. */

import type { LoaderDefinitionFunction } from "webpack";
import { HERE, relocate } from "./asset-folder.ts";

const load: LoaderDefinitionFunction<{ folder: string }> = function (code) {
  const { folder } = this.getOptions();
  return relocate(
    code,
    `new URL(__webpack_public_path__ + ${JSON.stringify(`${folder}/index.js`)}, ${HERE}).href`,
  );
};

export default load;
