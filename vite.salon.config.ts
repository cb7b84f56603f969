import { defineConfig } from 'vite';

/** The salon is built on its own, so that nothing of the studio can get into it. */
export default defineConfig({
  base: '/salon/',
  publicDir: false,
  build: { outDir: 'build/salon', modulePreload: false, rollupOptions: { input: 'salon.html' } },
});
