import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// `npm run dev` talks to a Python server: `mbegu serve --no-browser`.
const server = process.env.MBEGU_SERVER ?? "http://127.0.0.1:8765";

/** Leaves every text beside itself as .gz and .br, so that the server need not compress it again and again. */
function packed(): Plugin {
  let folder = "";
  return {
    name: "packed",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir, config.build.assetsDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css)$/.test(name)) continue;
        const path = join(folder, name),
          text = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
        writeFileSync(
          `${path}.br`,
          brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: statSync(path).size } }),
        );
      }
    },
  };
}

const WORKER = "src/offline/sw.ts";

/** What the first board does not need comes with the screen that does, or with the table at which games are played. */
const LATER = new RegExp(
  "/src/(board/PictureBoard|lib/(analysis|judge|curve|shown|server-address)" +
    "|ui/(Challenge|ServerAddress|GameRow|GamePicture|Rated|RatingChange|RankTable|Keys|Talk)\\b)",
);
const TABLE = new RegExp(
  "/src/(lib/(room|away|reconnecting|ending|own-variations)|ui/(PlayerStrip|Offers|MoveList|CallOff)\\b)",
);

/** One file for what every screen shares and one for each screen: a slow line pays for every file. */
function chunkOf(id: string): string | undefined {
  if (LATER.test(id)) return undefined;
  if (TABLE.test(id)) return "table";
  return /\/src\/(board|lib|ui)\/|\/scripts\/|node_modules/.test(id) ? "shared" : undefined;
}

export default defineConfig({
  base: "./", // the same files serve a server and a folder anywhere
  plugins: [svelte(), packed()],
  build: {
    outDir: process.env.MBEGU_STATIC ?? "../src/mbegu/server/static",
    emptyOutDir: true,
    manifest: "manifest.json",
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or fonts
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: resolve(import.meta.dirname, "index.html"), sw: resolve(import.meta.dirname, WORKER) },
      output: {
        manualChunks: chunkOf,
        // A service worker reigns over the addresses below its own.
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
      },
    },
    sourcemap: false,
  },
  server: {
    proxy: {
      // The server answers only its own origin, so the host stays as the browser named it.
      "/api": { target: server, changeOrigin: false },
      "/ws": { target: server, changeOrigin: false, ws: true },
    },
  },
  // A busy machine is slow: only a test that hangs should run out of time.
  test: { environment: "node", include: ["src/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
