import { infetch } from "infetch/vite";

export default { plugins: [infetch()] };
