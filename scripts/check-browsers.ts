/**
 * `npm run browsers`: refuses what one of the oldest browsers (`oldest-browsers.ts`) lacks in whatever runs or is drawn there,
 * unless `browsers/known.ts` says what becomes of it. Built-ins of the language are refused by the types (`tsconfig.web.json`).
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { known } from './browsers/known.ts';
import { findInScript } from './browsers/scripts.ts';
import { findInClasses, findInStyles } from './browsers/styles.ts';

/** Components whose classes say `:has`: `app.css` has another way for the stages, and the words of a box that is off stay dark. */
const knownClasses = ['src/features/marketing/diagram-page.tsx', 'src/ui/forms/checkbox.tsx'];

const found = new Map<string, string[]>();
for (const file of [...listScripts(), ...globSync('src/**/*.css')]) {
  const text = readFileSync(file, 'utf8');
  const inClasses = knownClasses.includes(file) ? [] : findInClasses(text);
  const missing = file.endsWith('.css') ? findInStyles(text) : [...findInScript(file, text), ...inClasses];
  for (const { feature, in: browsers } of missing) {
    const what = `${feature}, not in the oldest ${browsers.join(', ')}`;
    if (!Object.hasOwn(known, feature)) found.set(what, [...(found.get(what) ?? []), file]);
  }
}
for (const [what, files] of found) console.error(`${what}: ${[...new Set(files)].join(' ')}`);
if (found.size > 0) process.exitCode = 1;

/** What belongs to browsers, with whatever it imports of ours that is no type. */
function listScripts(): Set<string> {
  const begins = [
    'src/**/*.tsx',
    'src/wire/client.ts',
    'src/features/*/browser/**/*.ts',
    'src/features/viewing/viewer-app/**/*.ts',
  ];
  const files = new Set<string>();
  for (const file of globSync(begins)) if (!file.includes('.test.')) addWithImports(file, files);
  return files;
}

function addWithImports(file: string, files: Set<string>): void {
  if (files.has(file) || !/\.tsx?$/.test(file) || !existsSync(file)) return;
  files.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)';/gm);
  for (const [, name = ''] of imports) {
    if (name.startsWith('.')) addWithImports(path.join(path.dirname(file), name), files);
    if (name.startsWith('#')) addWithImports(name.replace('#', 'src/'), files);
  }
}
