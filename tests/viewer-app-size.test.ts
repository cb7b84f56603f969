import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const kilobyte = 1024;
const made: string[] = [];
let folder = path.resolve('build/viewer');

beforeAll(async () => {
  if (existsSync(path.join(folder, 'viewer.html'))) return;
  folder = mkdtempSync(path.join(tmpdir(), 'viewerApi-'));
  made.push(folder);
  await build({ configFile: 'vite.viewer.config.ts', logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
});
afterAll(() => {
  for (const each of made) rmSync(each, { recursive: true });
});

const read = (name: string) => readFileSync(path.join(folder, name));
const compressed = (name: string) => brotliCompressSync(read(name)).length;
const assets = (pattern: RegExp) => readdirSync(path.join(folder, 'assets')).filter((name) => pattern.test(name));
const total = (pattern: RegExp) => assets(pattern).reduce((sum, name) => sum + compressed(`assets/${name}`), 0);

describe('the viewer app is small', () => {
  test('the door, with everything that the first picture needs beside its bytes, is at most 15 KB', () => {
    expect(assets(/^draw-worker-.*\.js$/)).toHaveLength(1);
    expect(compressed('viewer.html') + total(/^draw-worker-.*\.js$/)).toBeLessThanOrEqual(15 * kilobyte);
  });

  test('the loader in it, with every gate, is at most 5 KB', () => {
    const [, loader = ''] = /<script type="module">([\s\S]*)<\/script>/.exec(read('viewer.html').toString()) ?? [];
    expect(loader.length).toBeGreaterThan(kilobyte);
    expect(brotliCompressSync(loader).length).toBeLessThanOrEqual(5 * kilobyte);
  });

  test('what looks after the visit, without which nothing scrolls, is at most 5 KB', () => {
    expect(assets(/^visit-.*\.js$/)).toHaveLength(1);
    expect(total(/^visit-.*\.js$/)).toBeLessThanOrEqual(5 * kilobyte);
  });

  test('the frame with React is at most 75 KB', () => {
    expect(assets(/^frame-.*\.(js|css)$/)).toHaveLength(2);
    expect(total(/^frame-.*\.(js|css)$/)).toBeLessThanOrEqual(75 * kilobyte);
  });
});

describe('what plays videos', () => {
  test('is a part of its own, at most 180 KB, that nothing else needs', () => {
    const [video = ''] = assets(/^video-.*\.js$/);
    expect(assets(/^video-.*\.js$/)).toHaveLength(1);
    expect(total(/^video-.*\.(js|css)$/)).toBeLessThanOrEqual(180 * kilobyte);
    const needing = assets(/\.js$/).filter((name) => name !== video && read(`assets/${name}`).includes(video));
    expect(needing, 'only the loader names it, to ask for it where a link shows a video').toEqual([]);
    expect(read('viewer.html').toString()).toContain(`import(\`/viewer/assets/${video}\`)`);
  });
});

describe('the door', () => {
  test('loads and asks for nothing that is not ours, and needs no style attribute and no inline handler', () => {
    const page = read('viewer.html').toString();
    const markup = page.replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '');
    expect(markup).not.toMatch(/\sstyle=|\son[a-z]+=|<img/);
    expect(page.match(/(src|href)="(https?:)?\/\/[^"]*"/g)).toBeNull();
    expect(page.match(/<script[^>]*\ssrc=/g)).toBeNull();
  });

  test("leaves nothing to print, by the browser's own print and by what the visit is told of it", () => {
    const styles = read('viewer.html').toString().replace(/\s+/g, '');
    expect(styles).toMatch(/\[data-print\]body\{display:none/);
    expect(styles).toMatch(/@mediaprint\{[^}]*\{display:none/);
  });

  test('tells a messenger only that there is an album', () => {
    const page = read('viewer.html').toString();
    expect(page).toContain('<meta property="og:title" content="You\'ve received a private album">');
    expect(page).toContain('<meta property="og:description" content="Tap to open.">');
    expect(page).toContain('content="noindex,noarchive,nosnippet,noimageindex"');
    expect(page).toMatch(/<meta property="og:image" content="\/viewer\/assets\/card-[^"]+\.jpg">/);
  });

  test('carries the letters of its words and of its two questions, and asks for all others', () => {
    const [own, others] = [...readFileSync('viewer.html', 'utf8').matchAll(/unicode-range:([^;]*);/g)].map(
      ([, ranges]) =>
        [...(ranges ?? '').matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].flatMap(([, from = '', to = from]) =>
          Array.from({ length: parseInt(to, 16) - parseInt(from, 16) + 1 }, (_, n) => parseInt(from, 16) + n),
        ),
    );
    const shown = [
      "You've received a private album",
      'PrivateFans',
      'Are you 18 or older?',
      'This album has a password',
    ];
    const letters = [...shown.join('')].map((letter) => letter.codePointAt(0));
    expect(letters.filter((letter) => !own?.includes(letter ?? 0))).toEqual([]);
    const all = Array.from({ length: 0x7f - 0x20 }, (_, n) => 0x20 + n).concat(0x2013, 0x2019, 0x201c, 0x201d, 0x2026);
    expect([...(own ?? []), ...(others ?? [])].sort((one, other) => one - other)).toEqual(all);
  });

  test('wears the dark half of the tokens', () => {
    const tokens = readFileSync('src/ui/tokens.css', 'utf8');
    const page = readFileSync('viewer.html', 'utf8');
    for (const name of ['raised', 'ink', 'quiet', 'line', 'edge', 'plum', 'plum-wash', 'on-plum', 'rust']) {
      const [, dark] = new RegExp(`--${name}: light-dark\\(.*, (oklch\\(.*?\\))\\);`).exec(tokens) ?? [];
      expect([name, new RegExp(`--${name}: (.*);`).exec(page)?.[1]]).toEqual([name, dark]);
    }
  });

  test('its colours are all within sRGB, so that each stands in it once and as it was meant', () => {
    const page = read('viewer.html').toString();
    const meant = [
      ...readFileSync('viewer.html', 'utf8').matchAll(/--([a-z-]+): oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\);/g),
    ];
    expect(meant.length).toBeGreaterThan(10);
    for (const [, name = '', light, chroma, hue] of meant) {
      const [, hex = ''] = new RegExp(`--${name}:#([0-9a-f]{6})`).exec(page) ?? [];
      const shown = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
      const colour = toSrgb(Number(light) / 100, Number(chroma), Number(hue));
      expect([name, Math.max(...colour.map((value, n) => Math.abs(value - (shown[n] ?? Number.NaN)))) < 0.6]).toEqual([
        name,
        true,
      ]);
    }
    expect(page).not.toMatch(/@supports|lightningcss/);
  });
});

/** Returns what sRGB makes of an OKLCH colour, each part of 255 (Björn Ottosson's matrices); out of its range when it cannot show it. */
function toSrgb(light: number, chroma: number, hue: number): number[] {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const [l, m, s] = [
    light + 0.3963377774 * a + 0.2158037573 * b,
    light - 0.1055613458 * a - 0.0638541728 * b,
    light - 0.0894841775 * a - 1.291485548 * b,
  ].map((root) => root ** 3) as [number, number, number];
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => 255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055));
}
