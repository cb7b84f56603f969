import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Proofs whose short form is a part of `npm test`: they guard who may see what. */
export const walls = [
  'canary',
  'fuzz',
  'headers',
  'hostile-texts',
  'incidents',
  'matrix',
  'routes',
  'sealed',
  'text-costs',
  'walls',
] as const;

/** One file of a folder of tests/proofs. */
export interface Proof {
  name: string;
  file: string;
  /** Globs of the paths whose change asks for the proof again; it says them itself. */
  guards: string[];
  /** Where it was last green, in either form, as docs/proofs.md says; undefined when that is not known. */
  commit: string | undefined;
}

const page = 'docs/proofs.md';
/** A row of the table: the proof's name, and the commit in its second column. */
const rowOf = (name: string) => new RegExp(`^(\\| \`${name}\` *\\| )(\\w*) *(\\|)`, 'm');

/** Every proof that there is. @param root folder of the project */
export function listProofs(root: string): Proof[] {
  const told = readFileSync(path.join(root, page), 'utf8');
  const files = globSync('tests/proofs/**/*.test.ts', { cwd: root });
  const proofs = files.map((file) => {
    const name = path.basename(file, '.test.ts');
    const [, commit] = [...(rowOf(name).exec(told) ?? [])].slice(1);
    return { name, file, guards: readGuards(path.join(root, file)), commit: commit || undefined };
  });
  return proofs.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a proof says in `guards('src/…', …)`. */
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
    const known = changedSince.get(commit) ?? [...git('diff', '--name-only', commit, 'HEAD'), ...unsaved];
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

/** Notes in docs/proofs.md where these proofs were green. @returns the names that have no row there */
export function noteGreen(root: string, names: readonly string[]): string[] {
  const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const file = path.join(root, page);
  let told = readFileSync(file, 'utf8');
  const rowless = names.filter((name) => !rowOf(name).test(told));
  for (const name of names) told = told.replace(rowOf(name), `$1${commit} $3`);
  writeFileSync(file, told);
  return rowless;
}
