import react from "@vitejs/plugin-react";
import { infetch } from "infetch/vite";

export default { plugins: [react(), infetch({ engines: ["webllm", "llamacpp"] })] };
