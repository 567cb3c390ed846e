import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// `npm run dev` talks to a Python server: `mbegu serve --no-browser`.
const server = process.env.MBEGU_SERVER ?? "http://127.0.0.1:8765";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: process.env.MBEGU_STATIC ?? "../src/mbegu/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or fonts
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  server: {
    proxy: {
      // The server answers only its own origin, so the host stays as the browser named it.
      "/api": { target: server, changeOrigin: false },
      "/ws": { target: server, changeOrigin: false, ws: true },
    },
  },
  test: { environment: "node", include: ["src/**/*.test.ts"] },
});
