import { defineConfig, type Plugin } from 'vite';

/**
 * What Vite calls around every `import()`; its own form is half as large as the whole loader and waits for styles first. All
 * that a part needs is asked for at once: a script that is found inside another would cost one more round trip.
 */
const importAtOnce = `
  const need = (href) => new Promise((go, fail) => {
    const isScript = href.endsWith('.js');
    const link = Object.assign(document.createElement('link'), { rel: isScript ? 'modulepreload' : 'stylesheet', href: '/salon/' + href, onload: go, onerror: fail });
    document.head.append(link);
    if (isScript) go();
  });
  export const __vitePreload = (load, needs = []) => Promise.all([load(), ...needs.map(need)]).then(([part]) => part);
`;

/** The door's colours as older browsers read them stand there as well; they are the same ones, all within sRGB. */
const sameColoursOnceMore = /@supports \(color:lab\(0% 0 0\)\)\{:root\{[^}]*\}\}|--lightningcss-[a-z]+:[^;]*;/g;

/**
 * Puts the loader into the page itself, so that the door can be tapped after one round trip. What it loads later must not
 * import it: the script would run twice.
 */
function inlineLoader(): Plugin {
  return {
    name: 'inline-loader',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? importAtOnce : undefined),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['salon.html'];
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const loader = chunks.find(({ isEntry }) => isEntry);
        if (page?.type !== 'asset' || loader === undefined) throw new Error('the salon has no page or no loader');
        const sharing = chunks.find(({ imports }) => imports.includes(loader.fileName));
        if (sharing !== undefined || loader.imports.length > 0)
          throw new Error(`the loader shares a module with ${sharing?.fileName ?? loader.imports.join(', ')}`);
        // The page's address is not the loader's, so what it loads is named from the root.
        const code = loader.dynamicImports.reduce(
          (text, name) => text.replaceAll(`./${name.slice(name.lastIndexOf('/') + 1)}`, `/salon/${name}`),
          loader.code.trim().replaceAll('</script', '<\\/script'),
        );
        const html = String(page.source)
          .replace(/<script type="module"[^>]*><\/script>\s*/, '')
          .replace(/\/\*.*?\*\/|^\s+/gms, '')
          .replace(sameColoursOnceMore, '');
        page.source = html.replace('</body>', () => `<script type="module">${code}</script></body>`);
        delete bundle[loader.fileName];
      },
    },
  };
}

/** What draws is older browsers' alone on the page, and needs nothing of the others. */
const isNotDrawing = (id: string) => !id.includes('/media/salon/');

/** The salon is built on its own, so that nothing of the studio can get into it. */
export default defineConfig({
  base: '/salon/',
  publicDir: false,
  plugins: [inlineLoader()],
  worker: { format: 'es' },
  build: {
    outDir: 'build/salon',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: (file) => file.endsWith('fraunces-door.woff2'),
    target: 'es2022',
    rolldownOptions: {
      input: 'salon.html',
      // What the visit, the frame and the film have in common is one file: a browser asks a server for six at once.
      output: { codeSplitting: { groups: [{ name: 'common', minShareCount: 2, test: isNotDrawing }] } },
      // lucide marks its files for servers that render React; there is none.
      onLog: (level, log, take) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : take(level, log)),
    },
  },
});
