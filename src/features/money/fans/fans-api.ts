import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { creationOf, makeOnce } from '#features/audit/creations.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { mostTiers } from '#features/orders/fan-rules.ts';
import {
  changeTier,
  findTier,
  insertTier,
  listTiers,
  resumeTier,
  stopTier,
  type TierRow,
} from '#features/orders/fan-tiers-store.ts';
import { findPayoutAccount, payoutStatusOf } from '#features/payouts/finding-accounts.ts';
import { endSales } from '#features/sales/ending.ts';
import { newId } from '#kit/ids.ts';
import { requireCreator, requireSignIn } from '#wire/answer.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { fansContract, type Tier, type TierInput } from './fans-contract.ts';
import { listOwnAlbums, sumTiers, type TierSums } from './subscribers-store.ts';

const answer = implement(fansContract).$context<Context>();
const currency = 'usd';

const noSums = { albums: [], subscribers: 0, atLowerPrice: 0, passes: 0, monthlyCents: 0 };

function showTier(
  { id, name, priceCents, off3, off6, off12, benefits, allFuture, slot }: TierRow,
  sums: readonly TierSums[],
): Tier {
  const { tierId: _, ...mine } = sums.find(({ tierId }) => tierId === id) ?? { tierId: id, ...noSums };
  return { id, name, priceCents, off3, off6, off12, benefits, allFuture, isOffered: slot !== null, ...mine };
}

const sumsOf = (tx: Tx, engines: Engines, creatorId: string) =>
  sumTiers(tx, { creatorId, realm: engines.payments.realm, now: moneyNow(engines) });

/** @throws NOT_FOUND for one that is not theirs */
async function shown(tx: Tx, engines: Engines, creatorId: string, tierId: string): Promise<Tier> {
  const row = await findTier(tx, tierId);
  if (row?.creatorId !== creatorId) throw refuse('NOT_FOUND');
  return showTier(row, await sumsOf(tx, engines, creatorId));
}

/** @throws NOT_FOUND for an album that is not theirs */
async function reachOf(tx: Tx, creatorId: string, { albumIds }: TierInput) {
  const ids = [...new Set(albumIds)];
  if ((await listOwnAlbums(tx, creatorId, ids)).length < ids.length) throw refuse('NOT_FOUND');
  return { allFuture: ids.length === 0, albumIds: ids };
}

const tooMany = () =>
  refuse('CONFLICT', { message: `You can offer up to ${mostTiers} tiers at a time. Stop one of them first.` });

const note = ({ creator, requestId }: CreatorContext, tx: Tx, action: string, id: string) =>
  insertAudit(tx, {
    actor: { type: creator.kind, id: creator.userId },
    action,
    target: { type: 'tier', id },
    requestId,
  });

export const fansApi = answer.router({
  tiers: answer.tiers.use(requireSignIn).handler(async ({ context }) => {
    const { engines, creator, work } = context;
    const account = await findPayoutAccount(engines, creator.userId);
    return work(async (tx) => {
      const rows = await listTiers(tx, creator.userId);
      const sums = await sumsOf(tx, engines, creator.userId);
      const tiers = rows.map((row) => showTier(row, sums));
      const sum = (pick: 'subscribers' | 'monthlyCents') => tiers.reduce((all, tier) => all + tier[pick], 0);
      return {
        tiers,
        most: mostTiers,
        subscribers: sum('subscribers'),
        monthlyCents: sum('monthlyCents'),
        currency,
        account: payoutStatusOf(engines, account),
        isSandbox: engines.sandbox !== undefined,
      };
    });
  }),
  createTier: answer.createTier.use(requireCreator).handler(async ({ context, input }) => {
    const { engines, creator, asSystem, now } = context;
    const creatorId = creator.userId;
    if (payoutStatusOf(engines, await findPayoutAccount(engines, creatorId)) !== 'complete')
      throw refuse('PAYOUTS_NOT_READY');
    const id = newId<'tier'>(now.getTime());
    const creation = creationOf(context, creatorId, 'fans.createTier', input);
    return asSystem(async (tx) => {
      const made = await makeOnce(tx, creation, id, async () => {
        const reach = await reachOf(tx, creatorId, input);
        if (!(await insertTier(tx, { ...input, ...reach, id, creatorId, currency, now }))) throw tooMany();
        await note(context, tx, 'tier.created', id);
      });
      return shown(tx, engines, creatorId, made);
    });
  }),
  changeTier: answer.changeTier.use(requireCreator).handler(({ context, input: { tierId, ...input } }) => {
    const { engines, creator, asSystem } = context;
    const creatorId = creator.userId;
    return asSystem(async (tx) => {
      const reach = await reachOf(tx, creatorId, input);
      if (!(await changeTier(tx, { ...input, ...reach, id: tierId, creatorId }))) throw refuse('NOT_FOUND');
      await endSales(engines, tx, { tierId });
      await note(context, tx, 'tier.changed', tierId);
      return shown(tx, engines, creatorId, tierId);
    });
  }),
  stopTier: answer.stopTier.use(requireCreator).handler(({ context, input: { tierId } }) => {
    const { engines, creator, asSystem } = context;
    return asSystem(async (tx) => {
      if (await stopTier(tx, creator.userId, tierId, moneyNow(engines))) {
        await endSales(engines, tx, { tierId });
        await note(context, tx, 'tier.stopped', tierId);
      }
      return shown(tx, engines, creator.userId, tierId);
    });
  }),
  resumeTier: answer.resumeTier.use(requireCreator).handler(({ context, input: { tierId } }) => {
    const { engines, creator, asSystem } = context;
    return asSystem(async (tx) => {
      const known = await findTier(tx, tierId);
      if (known?.creatorId !== creator.userId) throw refuse('NOT_FOUND');
      if (known.slot === null && !(await resumeTier(tx, creator.userId, tierId))) throw tooMany();
      await note(context, tx, 'tier.resumed', tierId);
      return shown(tx, engines, creator.userId, tierId);
    });
  }),
});
