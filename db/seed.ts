import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '#app/config.ts';
import { drawPictures, seedDemo, seedWeek } from '#app/dev/demo.ts';
import { type Seeded, seedCreator } from '#app/dev/seeding.ts';
import { openEngines } from '#app/engines.ts';
import { declareJobs } from '#app/jobs.ts';
import { openLog } from '#app/log.ts';
import type { Engines } from '#engines/engines.ts';
import { type BusyLife, busyYear, seedBusyLife, smallYear } from './busy-creator.ts';
import { busySales, seedSales } from './busy-seller.ts';

/** Named states of the product, made by the same calls as people make them: `npm run seed -- <scenario>`. */
const root = path.resolve(import.meta.dirname, '..');

interface Scenario {
  about: string;
  run(engines: Engines): Promise<string>;
}

/** A new creator for each run: addresses are never taken twice. */
async function newCreator(engines: Engines, more = ''): Promise<Seeded> {
  const word = engines.clock().toString(36) + more;
  return seedCreator(engines, { email: `creator-${word}@example.com`, displayName: 'Mia', handle: `mia_${word}` });
}

async function withPictures<T>(names: readonly string[], use: (files: string[]) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-seed-'));
  try {
    return await use(await drawPictures(root, folder, names));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const describeSeeded = ({ email, password }: Seeded) => `  sign in   ${email}   ${password}`;

async function newBusyCreator(engines: Engines, life: BusyLife): Promise<string> {
  const creator = await newCreator(engines);
  const names = ['evening', 'folds', 'linen', 'shutters', 'fronds', 'sea', 'petals', 'lamp', 'city', 'dunes'];
  await withPictures(names, (files) => seedBusyLife(engines, creator, files, life));
  return describeSeeded(creator);
}

const scenarios: Record<string, Scenario> = {
  demo: {
    about: 'what the first start of a sandbox has: creator, admin, albums, links, and a week of visits',
    run: async (engines) => {
      const words = await seedDemo(engines, root);
      await seedWeek(engines, root);
      return words ?? 'Somebody lives here already: the demo is made in an empty app only.';
    },
  },
  'fresh-creator': {
    about: 'a creator on her first day: set up, nothing uploaded',
    run: async (engines) => describeSeeded(await newCreator(engines)),
  },
  'busy-creator': {
    about: 'a year of a creator who lives from this: 200 photos in one album, 500 links, 100,000 visits',
    run: (engines) => newBusyCreator(engines, busyYear),
  },
  'busy-creator-small': {
    about: 'the same with 8 photos, 120 links and 3,000 visits',
    run: (engines) => newBusyCreator(engines, smallYear),
  },
  'busy-seller': {
    about: 'a year of a creator with 100,000 orders, and others who sell beside her',
    run: async (engines) => {
      const sellers = [await newCreator(engines)];
      for (let n = 1; n <= busySales.others; n++) sellers.push(await newCreator(engines, `_${n}`));
      await seedSales(engines, sellers);
      return sellers.slice(0, 1).map(describeSeeded).join('');
    },
  },
  lapsed: {
    about: 'a creator whose trial has ended',
    run: async (engines) => {
      const creator = await newCreator(engines);
      const { endTrial } = await import('#features/accounts/store.ts');
      await engines.database.work({ kind: 'system' }, (tx) =>
        endTrial(tx, creator.userId, new Date(engines.clock() - 86_400_000)),
      );
      return describeSeeded(creator);
    },
  },
};

const wanted = process.argv[2] ?? '';
const scenario = Object.hasOwn(scenarios, wanted) ? scenarios[wanted] : undefined;
if (scenario === undefined) {
  console.log(
    `npm run seed -- <scenario>\n${Object.entries(scenarios)
      .map(([name, { about }]) => `  ${name.padEnd(18)} ${about}`)
      .join('\n')}`,
  );
  process.exit(wanted === '' ? 0 : 1);
}
const engines = await openEngines(readConfig(process.env), openLog('warn'), root);
const endChildren = declareJobs(engines);
await engines.jobs.start(true);
try {
  console.log(await scenario.run(engines));
} finally {
  await engines.jobs.stop();
  await endChildren();
  await engines.database.close();
}
