/**
 * Stamps a room that works from the page down to its table, to be bent into what it shall be.
 *
 *   npm run new -- <room> [<noun>]        npm run new -- billing invoice
 *
 * The room must have a rung on the ladder; the noun is what it holds one of (for `requests`: request).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Names, nameAll } from './room/names.ts';
import { addPage, addToRouter } from './room/wiring.ts';

const config = 'dependency-cruiser.config.mjs';
const [room = '', noun] = process.argv.slice(2);
const ladder = readLadder();
if (!ladder.includes(room))
  refuse(
    `${room ? `\`${room}\` has no rung` : 'Which room? `npm run new -- <room> [<noun>]`. Those with a rung'} on the ladder: ${ladder.join(' < ')}. Add one to \`ladder\` in ${config} and to ARCHITECTURE.md, and say why in docs/decisions.`,
  );
const names = nameAll(room, noun);
if (!names) refuse(`Say what one of it is called: npm run new -- ${room} <noun>, in small letters.`);
const files = filesOf(names);
const present = Object.keys(files).filter(existsSync);
if (present.length > 0) refuse(`The room stands already: ${present.join(', ')}.`);
for (const [file, stamp] of Object.entries(files)) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, fillIn(stamp, names));
  console.log(file);
}
wire(
  'src/app/rooms.ts',
  addToRouter,
  `  import { ${room}Api } from '#features/${room}/api.ts';  …  ${room}: ${room}Api`,
);
wire('src/app/routes.ts', addPage, `  route('/${room}', '../features/${room}/${room}-page.tsx')`);
run('biome', [
  'check',
  '--write',
  ...Object.keys(files).filter((file) => !file.endsWith('.sql')),
  'src/app/rooms.ts',
  'src/app/routes.ts',
]);
run(process.execPath, [path.resolve('scripts/write-schema.ts')]);
console.log(`\nIt works as it is. Now bend it: the promise first (contract.ts), then what holds (rules.ts), then the rest.
Its page is at /${room}; its place in src/app/routes.ts follows the order of the pages. Before the first commit: npm run check.`);

function readLadder(): string[] {
  const [, list = ''] = readFileSync(config, 'utf8').match(/const ladder = \[([^\]]*)\]/) ?? [];
  return [...list.matchAll(/'([a-z]+)'/g)].map(([, name = '']) => name);
}

function filesOf({ table }: Names): Record<string, string> {
  const folder = `src/features/${room}`;
  const last =
    readdirSync('db/migrations')
      .filter((file) => /^\d{4}_/.test(file))
      .sort()
      .at(-1) ?? '0000';
  const number = String(Number(last.slice(0, 4)) + 1).padStart(4, '0');
  return {
    [`${folder}/contract.ts`]: 'contract.ts',
    [`${folder}/rules.ts`]: 'rules.ts',
    [`${folder}/rules.test.ts`]: 'rules.test.ts',
    [`${folder}/store.ts`]: 'store.ts',
    [`${folder}/api.ts`]: 'api.ts',
    [`${folder}/api.test.ts`]: 'api.test.ts',
    [`${folder}/${room}-page.tsx`]: 'page.tsx',
    [`db/migrations/${number}_${table}.sql`]: 'migration.sql',
  };
}

/** Puts the names where a stamp says `{{name}}`. */
function fillIn(stamp: string, words: Names): string {
  const text = readFileSync(path.join(import.meta.dirname, 'room', `${stamp}.stamp`), 'utf8');
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: keyof Names) => words[name]);
}

/** Adds the room's one line to a file of `app`; says which when the file no longer has the place for it. */
function wire(file: string, add: (text: string, room: string) => string | undefined, line: string): void {
  const wired = add(readFileSync(file, 'utf8'), room);
  if (wired) writeFileSync(file, wired);
  console.log(wired ? `${file}: one line` : `Add by hand to ${file}:\n${line}`);
}

function run(program: string, words: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) refuse(`${path.basename(program)} ${words[0]}:\n${stdout}${stderr}`);
}

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
