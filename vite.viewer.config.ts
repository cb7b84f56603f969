import { defineConfig, type Plugin } from 'vite';
import { buildTarget } from './scripts/oldest-browsers.ts';

/**
 * What Vite calls around every `import()`; its own form is half as large as the whole loader and waits for styles first. All
 * that a part needs is asked for at once: a script that is found inside another would cost one more round trip.
 */
const importAtOnce = `
  const need = (href) => href.endsWith('js') ? import(href) : new Promise((onload, onerror) =>
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload, onerror })));
  export const __vitePreload = (load, needs = []) => Promise.all([load(), ...needs.map(need)]).then(([part]) => part);
`;

/** The door's colours as older browsers read them stand there as well; they are the same ones, all within sRGB. */
const sameColoursOnceMore = /@supports \(color:lab\(0% 0 0\)\)\{:root\{[^}]*\}\}|--lightningcss-[a-z]+:[^;]*;/g;

/** What looks after the visit is asked for together with the frame and needs no more than that; a video comes later. */
const isFrame = /\/frame-/;

/** Vite numbers what each part needs. The names themselves, a few of them more than once, are less on the line. */
function nameNeeds(code: string): string {
  const [table = '', list = '[]'] = /const __vite__mapDeps=.*?(\[[^\]]*\]).*?;\n/.exec(code) ?? [];
  const names = (JSON.parse(list) as string[]).map((name) => `/viewer/${name}`);
  const named = code.replace(table, '').replace(/__vite__mapDeps\((\[[\d,]*\])\)/g, (_call, numbers: string) => {
    const [part = '', ...needs] = (JSON.parse(numbers) as number[]).map((n) => names[n] ?? '');
    const asked = needs.filter((need) => isFrame.test(part) || need.endsWith('.css'));
    return `[${asked.map((need) => `\`${need}\``)}]`;
  });
  return named.replace(/\w+\(\(\)=>(import\(`[^`]*`\)),\[\]\)/g, '$1');
}

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
        const page = bundle['viewer.html'];
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const loader = chunks.find(({ isEntry }) => isEntry);
        if (page?.type !== 'asset' || loader === undefined) throw new Error('the viewer app has no page or no loader');
        const sharing = chunks.find(({ imports }) => imports.includes(loader.fileName));
        if (sharing !== undefined || loader.imports.length > 0)
          throw new Error(`the loader shares a module with ${sharing?.fileName ?? loader.imports.join(', ')}`);
        // The page's address is not the loader's, so what it loads is named from the root.
        const code = loader.dynamicImports.reduce(
          (text, name) => text.replaceAll(`./${name.slice(name.lastIndexOf('/') + 1)}`, `/viewer/${name}`),
          nameNeeds(loader.code).trim().replaceAll('</script', '<\\/script'),
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

const isOfVisits = (id: string) => id.includes('/viewing/');

/** The viewer app is built on its own, so that nothing of the studio can get into it. */
export default defineConfig({
  base: '/viewer/',
  publicDir: false,
  plugins: [inlineLoader()],
  worker: { format: 'es', rolldownOptions: { output: { comments: false } } },
  build: {
    outDir: 'build/viewer',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: (file) => file.endsWith('fraunces-door.woff2'),
    target: buildTarget,
    rolldownOptions: {
      input: 'viewer.html',
      // What the visit, the frame and the video have in common is one file: a browser asks a server for six at once.
      output: { codeSplitting: { groups: [{ name: 'common', minShareCount: 2, test: isOfVisits }] } },
      // lucide marks its files for servers that render React; there is none.
      onLog: (level, log, take) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : take(level, log)),
    },
  },
});
