import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '..');
const read = (pattern: string) =>
  globSync(pattern, { cwd: folder }).map((file) => readFileSync(path.join(folder, file), 'utf8'));
const namesIn = (texts: readonly string[], of: RegExp) =>
  texts.flatMap((text) => [...text.matchAll(of)].map(([, name = '']) => name));

/** Parts that are only seen inside others: what every field has around it, what draws one of two others, the place where toasts come up, and the frame of a whole page. */
const inside = ['FieldFrame', 'FieldNote', 'GuestFrame', 'Loaded', 'Toaster'];

test('/dev/ui shows every shared component', () => {
  const components = namesIn(read('{*,!(gallery)/*}.tsx'), /^export (?:function|const) ([A-Z]\w+)/gm);
  const shown = new Set(namesIn(read('gallery/*.tsx'), /<([A-Z]\w+)/g));
  expect(components.length).toBeGreaterThan(40);
  expect(components.filter((name) => !shown.has(name)).sort()).toEqual([...inside].sort());
});
