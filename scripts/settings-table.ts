import { listSettings, settingsFrom } from '../src/features/settings/rules.ts';

const [begin, end] = ['<!-- settings: npm run docs:settings -->', '<!-- end of settings -->'];

/** Every setting of a new installation as a table. */
export function settingsTable(): string {
  const lines = listSettings(settingsFrom(new Map())).map(
    ({ key, default: usual, bounds, about }) =>
      `| \`${key}\` | ${usual === '' ? 'empty' : usual} | ${bounds} | ${about} |`,
  );
  return ['| setting | default | bounds | what |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

/** A document with the table between its two marks. @throws when it has none */
export function withTable(document: string, table: string): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error('The document has no place for the table of settings.');
  return `${document.slice(0, from + begin.length)}\n\n${table}\n\n${document.slice(to)}`;
}
