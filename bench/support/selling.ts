import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { readConfig } from '#app/config.ts';
import { drawPictures } from '#app/dev/demo.ts';
import { seedAlbum, seedCreator } from '#app/dev/seeding.ts';
import { openEngines } from '#app/engines.ts';
import { declareJobs } from '#app/jobs.ts';
import { openLog } from '#app/log.ts';
import { createServer } from '#app/server/server.ts';
import { type Patience, usualPatience } from '#app/server/shedding.ts';
import type { Engines } from '#engines/engines.ts';
import { tipToOpen } from '#tests/support/money/selling.ts';
import { createLive } from '#wire/live.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The product inside this process, with the sandbox in it and one link that a tip opens. */
export interface Shop {
  engines: Engines;
  fastify: FastifyInstance;
  slug: string;
  accountId: string;
}

/** Opens a product with something to sell. @param patience with calls that come too fast */
export async function openShop(dataDir: string, patience: Patience = usualPatience): Promise<Shop> {
  const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), openLog('warn'), root);
  const live = createLive(engines.clock);
  const fastify = await createServer(engines, live, { trustedProxies: undefined, patience });
  declareJobs(engines);
  await engines.jobs.start(true);
  return { engines, fastify, ...(await sellSomething(engines)) };
}

/** A creator who can be paid, and a link that a tip opens. */
async function sellSomething(engines: Engines): Promise<{ slug: string; accountId: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-bench-sale-'));
  try {
    const word = engines.clock().toString(36);
    const who = { email: `seller-${word}@example.com`, displayName: 'Mia', handle: `seller_${word}` };
    const creator = await seedCreator(engines, who);
    const { url } = await creator.caller.money.connect({ country: 'US' });
    const accountId = url.split('/').at(-1) ?? '';
    await engines.sandbox?.answerOnboarding(accountId, true);
    await creator.caller.money.checkAccount({});
    const albumId = await seedAlbum(engines, creator, {
      name: 'Summer',
      files: await drawPictures(root, folder, ['evening']),
    });
    const rules = { ageGate: false, ...tipToOpen(500) } as const;
    const about = { albumIds: [albumId], rules, expiry: { kind: 'never' }, isLaxConfirmed: true } as const;
    const { slug } = await creator.caller.links.create({ ...about, linkName: 'Bench' } as never);
    return { slug, accountId };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
