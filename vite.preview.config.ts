import { defineConfig, type Plugin } from 'vite';
import { buildTarget } from './scripts/oldest-browsers.ts';

/** The viewer's page with the script of the preview in the place of its own. */
function previewScript(): Plugin {
  return {
    name: 'preview-script',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('viewer-app/loader.ts', 'viewer-app/preview/preview.ts'),
    },
  };
}

/** The creator's preview is the viewer app once more, built on its own, so that nothing of it can get into a viewer's. */
export default defineConfig({
  base: '/preview/',
  publicDir: false,
  plugins: [previewScript()],
  worker: { format: 'es' },
  build: {
    outDir: 'build/preview',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    target: buildTarget,
    rolldownOptions: {
      input: 'viewer.html',
      // lucide marks its files for servers that render React; there is none.
      onLog: (level, log, take) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : take(level, log)),
    },
  },
});
