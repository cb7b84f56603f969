import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Proofs whose short form is a part of `npm test`: they guard who may see what. */
export const walls = [
  'access-walk',
  'canary',
  'fuzz',
  'headers',
  'hostile-texts',
  'incidents',
  'matrix',
  'routes',
  'sealed',
  'text-costs',
  'unlinkable',
  'walls',
] as const;

/** One file of a folder of tests/proofs. */
export interface Proof {
  name: string;
  file: string;
  /** Globs of the paths whose change asks for the proof again; it says them itself. */
  guards: string[];
  /** The commit at which it was last green, in either form; undefined when that is not known. */
  commit: string | undefined;
}

/** When a proof was last green. Days are written as 2026-11-29. */
interface LastGreen {
  commit: string;
  /** In either form; unknown for those that were noted before days were. */
  day?: string;
  /** In its long form. */
  longDay?: string;
}

/** The file that `npm run prove` writes: where and when each proof was last green. */
export const lastGreenFile = 'tests/proofs/last-green.json';

function readLastGreen(root: string): Record<string, LastGreen> {
  const file = path.join(root, lastGreenFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Every proof that there is. @param root folder of the project */
export function listProofs(root: string): Proof[] {
  const lastGreen = readLastGreen(root);
  const files = globSync('tests/proofs/**/*.test.ts', { cwd: root });
  const proofs = files.map((file) => {
    const name = path.basename(file, '.test.ts');
    return { name, file, guards: readGuards(path.join(root, file)), commit: lastGreen[name]?.commit };
  });
  return proofs.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns what a proof says in `guards('src/…', …)`. */
function readGuards(file: string): string[] {
  const [, list = ''] = /^guards\(([^)]*)\)/m.exec(readFileSync(file, 'utf8')) ?? [];
  return [...list.matchAll(/'([^']+)'/g)].map(([, glob = '']) => glob);
}

/** The proofs whose own file, a helper beside it, or something that they guard has changed since they were last green. */
export function listChangedProofs(root: string): Proof[] {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n');
  const changedSince = new Map<string, string[]>();
  const unsaved = git('status', '--porcelain').map((line) => line.slice(3));
  const listChanged = (commit: string): string[] => {
    const differing = () => [...git('diff', '--name-only', commit, 'HEAD'), ...unsaved];
    const known = changedSince.get(commit) ?? differing().filter((changed) => changed !== lastGreenFile);
    changedSince.set(commit, known);
    return known;
  };
  return listProofs(root).filter(({ file, guards, commit }) => {
    if (commit === undefined) return true;
    const isHelper = (changed: string) => path.dirname(changed) === path.dirname(file) && !changed.endsWith('.test.ts');
    const touches = (changed: string) =>
      changed === file || isHelper(changed) || guards.some((glob) => changed !== '' && path.matchesGlob(changed, glob));
    try {
      return listChanged(commit).some(touches);
    } catch {
      return true; // git knows no such commit
    }
  });
}

/** Notes at which commit and on which day these proofs were green; one proof a line, so that two notes seldom collide. */
export function noteGreen(
  root: string,
  names: readonly string[],
  { day, isLong }: { day: string; isLong: boolean },
): void {
  const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const lastGreen = readLastGreen(root);
  for (const name of names) {
    const longDay = isLong ? day : lastGreen[name]?.longDay;
    lastGreen[name] = { commit, day, ...(longDay !== undefined && { longDay }) };
  }
  const lines = Object.keys(lastGreen)
    .toSorted()
    .map((name) => `  ${JSON.stringify(name)}: ${writeLine(lastGreen[name] as LastGreen)}`);
  const file = path.join(root, lastGreenFile);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

/** An object on one line, as the formatter has it. */
const writeLine = (about: LastGreen): string =>
  `{ ${Object.entries(about)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(', ')} }`;
