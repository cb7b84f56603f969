/** `npm run buttons`: writes the register of everything that people press; with --check refuses one that is not current. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPressed } from './buttons/journeys.ts';
import { pagesByFile, readPages } from './buttons/pages.ts';
import { proceduresOf, readCallNames } from './buttons/procedures.ts';
import { readControls } from './buttons/read-controls.ts';

const register = 'src/features/support/controls.tsv';

/** Reads every file of a folder whose name ends so. */
const readAll = (folder: string, ending: RegExp): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true })
      .map((name) => path.join(folder, String(name)))
      .filter((file) => ending.test(file))
      .toSorted()
      .map((file) => [file, readFileSync(file, 'utf8')]),
  );

const sources = readAll('src', /(?<!\.test)\.tsx?$/);
const names = readCallNames(sources);
const byFile = pagesByFile(readPages(readFileSync('src/app/routes.ts', 'utf8')), sources);
const pressed = [...readAll('tests/journeys', /\.ts$/)].flatMap(([file, text]) =>
  readPressed(file.replace('tests/journeys/', '').replace(/(\.test)?\.ts$/, ''), text),
);

/** Components themselves are drawn by whoever uses them; a developer's pages are no product. */
const isLeftOut = (file: string) => /^src\/(ui|app\/dev)\//.test(file) || /dev-ui-page|viewer-app\//.test(file);
/** So many pages are named; what stands on more of them is told by how many. */
const mostNamed = 3;

const lines: string[] = [];
for (const [file, text] of sources) {
  const pages = byFile.get(file);
  if (!file.endsWith('.tsx') || isLeftOut(file) || pages === undefined) continue;
  const place = file.replace(/^src\/(features\/)?/, '').replace(/\.tsx$/, '');
  const times = new Map<string, number>();
  for (const { kind, name, handler, offset } of readControls(file, text)) {
    const own = `${place}#${kind}:${name}`;
    const time = (times.get(own) ?? 0) + 1;
    times.set(own, time);
    const journeys = [...new Set(pressed.flatMap(({ journey, matches }) => (matches(name) ? [journey] : [])))];
    lines.push(
      [
        time === 1 ? own : `${own} (${time})`,
        kind,
        name,
        pages
          .slice(0, mostNamed)
          .map(({ address }) => address)
          .join(' ') + (pages.length > mostNamed ? ` +${pages.length - mostNamed}` : ''),
        [...new Set(pages.map(({ who }) => who))].join(', '),
        handler === undefined ? 'dead' : 'acts',
        proceduresOf({ words: handler ?? '', offset }, file, sources, names).join(' '),
        journeys.slice(0, mostNamed).join(' '),
      ].join('\t'),
    );
  }
}
const made = `${lines.join('\n')}\n`;
if (process.argv.includes('--check')) {
  if (readFileSync(register, 'utf8') !== made) {
    console.error(`${register} is not current: npm run buttons`);
    process.exitCode = 1;
  }
} else writeFileSync(register, made);
