import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// GAMETE is where `gamete serve --no-open` listens while the pages are being worked on: `npm run dev` passes requests on to it.
const gamete = process.env.GAMETE ?? 'http://127.0.0.1:4263';

export default defineConfig({
  plugins: [svelte()],
  build: { outDir: process.env.OUT_DIR ?? '../dist', emptyOutDir: true, modulePreload: { polyfill: false }, reportCompressedSize: false },
  server: { proxy: { '/api': { target: gamete, changeOrigin: true, headers: { origin: gamete } } } },
});
