import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Whatever imports one of these, itself or through others, opens a database or a whole server. */
const heavy = new Set(['tests/support/database/test-database.ts', 'tests/support/servers/server-process.ts']);

/** The test files beside the code and in `tests/`, by what they need. */
export interface TestKinds {
  /** Neither an app nor a database: they share one process and need no set-up. */
  plain: string[];
  /** An app, a database or a server of their own. They share a process as well: what a module keeps is kept for one engine. */
  app: string[];
  /** The same with a process for each: their first line says why, `// Alone: …`. */
  alone: string[];
}

/** Sorts the test files by what they import, so that nobody has to keep a list. @param root folder of the project */
export function listTestKinds(root: string): TestKinds {
  const files = globSync(['src/**/*.test.{ts,tsx}', 'tests/*.test.ts'], { cwd: root }).sort();
  const known = new Map<string, boolean>();
  const isHeavy = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, heavy.has(file)); // what imports itself in a circle is heavy by its other imports
    const text = readIfThere(path.join(root, file));
    const is = heavy.has(file) || opensItself(file, text) || listImports(file, text).some(isHeavy);
    known.set(file, is);
    return is;
  };
  const isAlone = (file: string) => readIfThere(path.join(root, file)).startsWith('// Alone: ');
  const heavyOnes = files.filter(isHeavy);
  return {
    plain: files.filter((file) => !isHeavy(file)),
    app: heavyOnes.filter((file) => !isAlone(file)),
    alone: heavyOnes.filter(isAlone),
  };
}

/** All that open something. @param root folder of the project */
export function listHeavyTests(root: string): string[] {
  const { app, alone } = listTestKinds(root);
  return [...app, ...alone];
}

/** Returns whether a test asks for the tests' cluster, or opens a database of its own. */
const opensItself = (file: string, text: string) =>
  file.includes('.test.') && /\binject\b[^}]*\} from 'vitest'|\bopenDatabase\(/.test(text);

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // a picture, or a file that is made by the build
  }
}

/** The project's own files that a file with this text imports. */
function listImports(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(([, name = '']) => {
    if (name.startsWith('.')) return [path.posix.join(path.posix.dirname(file), name)];
    const [, area, rest] = /^#(tests\/|db\/)?(.+)$/.exec(name) ?? [];
    return rest === undefined ? [] : [`${area ?? 'src/'}${rest}`];
  });
}
