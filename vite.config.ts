import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { reactRouter } from '@react-router/dev/vite';
import tailwind from '@tailwindcss/vite';
import { defineConfig, isRunnableDevEnvironment, type Plugin, type ViteDevServer } from 'vite';
import { buildTarget } from './scripts/oldest-browsers.ts';

/** What src/app/dev-server.ts promises: the product without its pages. */
type Development = {
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  close: () => Promise<void>;
  devAddress: string | undefined;
};

/** What the server answers itself, public pages by their handle too; `/dev/ui` is a page. */
const ours = /^\/(?:api|rpc|files|healthz|m|sandbox)(?:[/?]|$)|^\/dev(?:\/(?!ui(?:[/?]|$))|\?|$)|^\/@\w{3,30}(?:\?|$)/;
const viewerPage = /^\/(view|preview)\//;
const serverFile = /\/src\/.*(?<!\.test)\.ts$/;

/** Development in one process: the server stands in front of Vite's own answers and is made anew when one of its files changes. */
function serverInDevelopment(): Plugin {
  return {
    name: 'server-in-development',
    apply: 'serve',
    async configureServer(vite) {
      let running = await openServer(vite);
      if (running?.devAddress !== undefined) vite.config.logger.info(`  For developers: ${running.devAddress}`);
      let turn = Promise.resolve();
      const reload = async () => {
        const next = await openServer(vite);
        if (!next) return;
        const old = running;
        running = next;
        await old?.close();
      };
      vite.watcher.on('change', (file) => {
        if (serverFile.test(file)) turn = turn.then(reload);
      });
      vite.httpServer?.once('close', () => void running?.close());
      vite.middlewares.use((request, response, next) => {
        const url = request.url ?? '';
        if (viewerPage.test(url)) showViewerApp(vite, url, response).catch(next);
        else if (!ours.test(url)) next();
        else if (running) running.handle(request, response);
        else response.writeHead(503).end('The server did not start; the reason is in the terminal.');
      });
    },
  };
}

/** Without the two clearings an edit is now and then answered from the old module. A half-typed file must not end the process. */
async function openServer(vite: ViteDevServer): Promise<Development | undefined> {
  const { ssr } = vite.environments;
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('Vite’s ssr environment cannot run modules');
  ssr.moduleGraph.invalidateAll();
  ssr.runner.clearCache();
  try {
    const { openDevelopment } = await ssr.runner.import('/src/app/dev-server.ts');
    return await openDevelopment();
  } catch (error) {
    vite.config.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return undefined;
  }
}

/** React Router's plugin refuses every React module that comes without its preamble, the viewer app's too. */
async function showViewerApp(vite: ViteDevServer, url: string, response: ServerResponse): Promise<void> {
  const preamble = '<script type="module">import "virtual:react-router/inject-hmr-runtime"</script>';
  const isPreview = url.startsWith('/preview/');
  const html = readFileSync('viewer.html', 'utf8')
    .replace('<head>', `<head>${preamble}`)
    .replace('viewer-app/loader.ts', isPreview ? 'viewer-app/preview/preview.ts' : 'viewer-app/loader.ts');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(await vite.transformIndexHtml('/viewer.html', html, url));
}

const itsReload = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\}\);/;

/**
 * React Router answers a part of the program that does not come with a reload of its own, for ever when it never comes. As in
 * its development build the error is thrown instead: the pages' error boundary reloads once and then says so.
 */
function oneReloadForMissingParts(): Plugin {
  return {
    name: 'one-reload-for-missing-parts',
    apply: 'build',
    transform: {
      filter: { id: /react-router\/dist\/.*\/routeModules\.js$/ },
      handler(code) {
        if (!itsReload.test(code))
          this.error('React Router loads its route modules in another way now; see vite.config.ts.');
        return { code: code.replace(itsReload, 'throw error;'), map: null };
      },
    },
  };
}

/** What moves in public pages is a script of its own; they have nothing else to load. */
function scriptOfPublicPages(): Plugin {
  return {
    name: 'script-of-public-pages',
    apply: 'build',
    buildStart() {
      if (this.environment.name !== 'client') return;
      this.emitFile({ type: 'chunk', id: 'src/app/pages/public-script.tsx', name: 'site-script' });
      this.emitFile({ type: 'chunk', id: 'src/features/marketing/browser/creator-page.ts', name: 'creator-script' });
    },
  };
}

export default defineConfig({
  build: { target: buildTarget },
  server: { host: '127.0.0.1', port: Number(process.env.PORT ?? 3000), strictPort: true },
  plugins: [
    process.env.VITEST
      ? undefined
      : [serverInDevelopment(), oneReloadForMissingParts(), scriptOfPublicPages(), tailwind(), reactRouter()],
  ],
});
