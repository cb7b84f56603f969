import { defineConfig } from 'vite';

/** What renders the public pages on the server, by the facts in force: one file that needs nothing beside it. */
export default defineConfig({
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'src/app/pages/render-pages.tsx',
    outDir: 'build/public',
    emptyOutDir: true,
    minify: true,
    rolldownOptions: {
      output: { entryFileNames: 'render-pages.js' },
      // Libraries mark what is for browsers; here everything becomes one file.
      checks: { moduleLevelDirective: false },
    },
  },
});
