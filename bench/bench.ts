import { parseArgs } from 'node:util';
import { appendResults, type Figure, isMissed, tableOf, toRecord } from './support/figures.ts';
import { machineLine } from './support/machine.ts';
import type { BenchOptions } from './support/options.ts';

/** `npm run bench -- [part …] [--rounds 3] [--photos folder] [--profile]`: what the product costs, beside what it could cost at best. */
const parts = [
  'start',
  'memory',
  'link',
  'bytes',
  'api',
  'live',
  'load',
  'ingest',
  'video',
  'upload',
  'viewer',
  'landing',
  'studio',
  'insights',
  'trace',
  'strip',
  'money',
  'paying',
] as const;
/** What runs when no part is named. */
const short = ['link', 'bytes', 'ingest', 'api', 'start', 'memory'];
const about = `npm run bench -- [part …]     parts: ${parts.join(' ')}; without one: ${short.join(' ')}
  --long            all parts
  --rounds <n>      rounds of ours and the comparator in turns, 3 unless told
  --photos <folder> real photographs instead of drawn ones: figures that other machines can be compared with
  --count <n>       how many photos, 24 unless told
  --events <n>      how many events the installation of insights has, 10 million unless told
  --kept <folder>   keeps that installation there once it has grown, or takes it from there
  --profile         the product writes CPU profiles to bench/results/profiles; the figures are then worth nothing`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    photos: { type: 'string' },
    count: { type: 'string', default: '24' },
    events: { type: 'string', default: '10000000' },
    kept: { type: 'string' },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !parts.some((part) => part === name));
const rounds = Number(values.rounds);
if (
  values.help ||
  unknown.length > 0 ||
  !(rounds >= 1) ||
  !(Number(values.count) >= 1) ||
  !(Number(values.events) >= 1000)
) {
  console.log(about);
  process.exit(values.help ? 0 : 1);
}
const named = positionals.length > 0 ? positionals : short;
const chosen = values.long ? parts : parts.filter((part) => named.includes(part));
const options: BenchOptions = {
  rounds,
  photos: values.photos,
  photoCount: Number(values.count),
  isProfiled: values.profile,
  events: Number(values.events),
  kept: values.kept,
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const figures: Figure[] = [];
const lines: object[] = [];
console.log(machineLine(new Date()));
for (const part of chosen) {
  const { measure }: { measure(options: BenchOptions): Promise<Figure[]> } = await import(`./${part}.ts`);
  console.log(`\n${part} …`);
  const made = await measure(options);
  figures.push(...made);
  lines.push(...made.map((figure) => toRecord(figure)));
  console.log(`\n${tableOf(made)}`);
}
const now = new Date();
console.log(`\n${machineLine(now)}`);
for (const line of lines) console.log(JSON.stringify(line));
console.log(`Kept in ${appendResults(now.toISOString().slice(0, 10), lines)}`);
const missed = figures.filter(isMissed);
if (missed.length > 0)
  console.log(`Gates missed: ${missed.map(({ figure, what }) => `${figure} (${what})`).join(', ')}`);
process.exit(missed.length > 0 ? 1 : 0);
