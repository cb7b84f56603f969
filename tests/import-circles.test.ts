import { describe, expect, test } from 'vitest';
import { findFileCircles, findFolderCircles } from '../scripts/import-circles.ts';

const filesOf = (files: Readonly<Record<string, string>>) => new Map(Object.entries(files));

describe('files that need each other', () => {
  test.each([
    ['in bench', 'bench/a.ts', "import { b } from './b.ts';", 'bench/b.ts', "import type { A } from './a.ts';"],
    ['in tests', 'tests/a.ts', "import { b } from '#tests/b.ts';", 'tests/b.ts', "export * from './a.ts';"],
    ['by what a type imports', 'src/a.ts', "let a: typeof import('./b.ts');", 'src/b.ts', "import '#a.ts';"],
    ['over several lines', 'db/a.ts', "import {\n  b,\n} from './b.ts';", 'db/b.ts', "import './a.ts';"],
  ])('are found %s', (_where, one, first, other, second) => {
    expect(findFileCircles(filesOf({ [one]: first, [other]: second }))).toEqual([
      `These files need each other: ${one}, ${other}`,
    ]);
  });

  test('are found when a third one lies between them', () => {
    const files = { 'src/a.ts': "import './b.ts';", 'src/b.ts': "import './c.ts';", 'src/c.ts': "import './a.ts';" };
    expect(findFileCircles(filesOf(files))).toEqual(['These files need each other: src/a.ts, src/b.ts, src/c.ts']);
  });

  test('are not found where imports point one way', () => {
    const files = { 'src/a.ts': "import './b.ts';\nimport './c.ts';", 'src/b.ts': "import './c.ts';", 'src/c.ts': '' };
    expect(findFileCircles(filesOf(files))).toEqual([]);
  });

  test('may stay while they are listed, and leave the list with their end', () => {
    const files = filesOf({ 'src/a.ts': "import './b.ts';", 'src/b.ts': "import './a.ts';" });
    expect(findFileCircles(files, ['src/a.ts, src/b.ts'])).toEqual([]);
    expect(findFileCircles(filesOf({ 'src/a.ts': '' }), ['src/a.ts, src/b.ts'])).toEqual([
      'No longer a circle as it is listed, so take it off the list: src/a.ts, src/b.ts',
    ]);
  });
});

describe('folders of a room', () => {
  const room = 'src/features/returns';
  const mutual = {
    [`${room}/disputes/a.ts`]: "import '../refunds/b.ts';",
    [`${room}/disputes/c.ts`]: '',
    [`${room}/refunds/b.ts`]: '',
    [`${room}/refunds/d.ts`]: "import type { C } from '../disputes/c.ts';",
  };

  test('are named with the imports when they need each other, though no file does', () => {
    expect(findFileCircles(filesOf(mutual))).toEqual([]);
    expect(findFolderCircles(filesOf(mutual))).toEqual([
      [
        'Folders of a room need each other – returns: disputes, refunds:',
        `  ${room}/disputes/a.ts → ${room}/refunds/b.ts`,
        `  ${room}/refunds/d.ts → ${room}/disputes/c.ts`,
      ].join('\n'),
    ]);
  });

  test('may need the root, and the root them', () => {
    const files = {
      [`${room}/root.ts`]: "import './disputes/a.ts';",
      [`${room}/disputes/a.ts`]: "import '../rules.ts';",
      [`${room}/rules.ts`]: '',
    };
    expect(findFolderCircles(filesOf(files))).toEqual([]);
  });

  test('may need each other in tests', () => {
    const { [`${room}/refunds/d.ts`]: text = '', ...files } = mutual;
    expect(findFolderCircles(filesOf({ ...files, [`${room}/refunds/d.test.ts`]: text }))).toEqual([]);
  });

  test('may stay while they are listed, and leave the list when the circle gets smaller', () => {
    const gone = 'No longer a circle as it is listed, so take it off the list: returns: disputes, refunds';
    expect(findFolderCircles(filesOf(mutual), ['returns: disputes, refunds'])).toEqual([]);
    expect(findFolderCircles(filesOf({}), ['returns: disputes, refunds'])).toEqual([gone]);
  });
});
