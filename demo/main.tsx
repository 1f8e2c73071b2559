/** Entry point of the console, which uses only the public API. */

import { render } from "preact";
import { refuseDrops } from "./shell/refuse-drops.ts";
import { Shell } from "./shell/shell.tsx";
import { requireValidLanguage } from "./shell/valid-language.ts";
import { startOffline } from "./store/offline.ts";
import { startRuntime } from "./store/runtime.ts";
import { startTheme } from "./store/theme.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/surfaces.css";
import "./styles/tables.css";
import "./styles/layers.css";
import "./styles/forced-colors.css";
import "./styles/print.css";

requireValidLanguage();
startTheme();
refuseDrops();
render(<Shell />, document.getElementById("app")!);
void startRuntime().then(startOffline);
