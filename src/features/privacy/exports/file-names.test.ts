import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { openNames, safeName } from './file-names.ts';

it.each([
  ['beach.jpg', 'beach.jpg'],
  ['../../etc/passwd', '__.._etc_passwd'],
  ['..\\..\\boot.ini', '__.._boot.ini'],
  ['/root', '_root'],
  ['C:\\x.png', 'C__x.png'],
  ['.htaccess', '_htaccess'],
  ['..', '_'],
  ['', 'file'],
  ['   ', 'file'],
  ['con', '_con'],
  [`${'é'.repeat(200)}.jpg`, `${'é'.repeat(88)}.jpg`],
  ['NUL.txt', '_NUL.txt'],
  ['name. ', 'name'],
  ['a\u0000b\u202egpj.exe', 'a_b_gpj.exe'],
  ['e\u0301te\u0301.jpg', '\u00e9t\u00e9.jpg'],
])('%j is saved as %j', (name, safe) => {
  expect(safeName(name)).toBe(safe);
});

it('is a name in one folder, whatever it was', () => {
  void fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
      const safe = safeName(name);
      expect(safe).not.toMatch(/[\\/:\p{Cc}\u202a-\u202e]|^\.|[. ]$|^$/u);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(181);
    }),
  );
});

it('is given once, also where only its letters’ size is another, and where a number is taken already', () => {
  const nameOnce = openNames();
  expect(['a.jpg', 'A.JPG', 'a (2).jpg', 'a.jpg', 'a.jpg', 'b'].map(nameOnce)).toEqual([
    'a.jpg',
    'A (2).JPG',
    'a (2) (2).jpg',
    'a (3).jpg',
    'a (4).jpg',
    'b',
  ]);
});
