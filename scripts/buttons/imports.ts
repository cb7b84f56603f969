import path from 'node:path';

/** A file of ours that another one imports. */
export interface Import {
  file: string;
  /** Names that are taken from it, here and there; none where it is imported as it is needed. */
  imported: ReadonlyMap<string, string>;
}

/** Returns what a file imports of ours. */
export const importsOf = (file: string, text: string): Import[] =>
  [...text.matchAll(/(?:import (?:type )?(?:\{([^}]*)\} )?)?(?:from|import\() ?'([^']+\.tsx?)'/g)].map(
    ([, names = '', to = '']) => ({
      file: to.startsWith('#') ? `src/${to.slice(1)}` : path.join(path.dirname(file), to),
      imported: new Map(
        names
          .split(',')
          .filter((name) => name.trim() !== '')
          .map(nameBoth),
      ),
    }),
  );

/** Returns the name that an import has here, and its own. */
function nameBoth(imported: string): [here: string, own: string] {
  const [own = '', here = own] = imported
    .trim()
    .replace(/^type /, '')
    .split(' as ');
  return [here, own];
}
