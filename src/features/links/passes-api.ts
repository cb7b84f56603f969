import { implement } from '@orpc/server';
import type { Engines } from '#engines/engines.ts';
import { creationOf, makeOnce } from '#features/audit/creations.ts';
import { insertAudit } from '#features/audit/store.ts';
import { findTier, listActiveTiers } from '#features/orders/fan-tiers-store.ts';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { mostOpenPasses, passStateOf } from './pass-rules.ts';
import { type FreePass, passesContract } from './passes/passes-contract.ts';
import { findPassToken, hashPassToken, passTokenOf } from './passes.ts';
import { findPass, insertPass, listPasses, type PassRow, revokePass } from './passes-store.ts';

const answer = implement(passesContract).$context<Context>();

function show(row: PassRow, engines: Engines, now: Date): FreePass {
  const { id, label, tierId, tierName, days, places, claims, createdAt, expiresAt } = row;
  const state = passStateOf(row, now);
  const token = state === 'open' ? findPassToken(engines, row) : undefined;
  const url = token === undefined ? null : `${engines.installation.publicUrl}/free-join/${token}`;
  return { id, label, tierId, tierName, days, places, claims, createdAt, expiresAt, state, url };
}

/** @throws NOT_FOUND */
const shownOne = ({ engines, creator, work, now }: CreatorContext, passId: string): Promise<FreePass> =>
  work(async (tx) => {
    const row = await findPass(tx, passId, creator.userId);
    if (row === undefined) throw refuse('NOT_FOUND');
    return show(row, engines, now);
  });

export const passesApi = answer.router({
  list: answer.list.use(requireCreator).handler(async ({ context: { engines, creator, work, now } }) => {
    const [rows, tiers] = await work(
      async (tx) => [await listPasses(tx, creator.userId), await listActiveTiers(tx, creator.userId)] as const,
    );
    return {
      passes: rows.map((row) => show(row, engines, now)),
      tiers: tiers.map(({ id, name }) => ({ id, name })),
    };
  }),
  create: answer.create.use(requireCreator).handler(async ({ context, input }) => {
    const { engines, creator, work, asSystem, now, requestId } = context;
    const { tierId, label, days, places, openDays } = input;
    const tier = await work((tx) => findTier(tx, tierId));
    if (tier === undefined) throw refuse('NOT_FOUND');
    if (tier.slot === null)
      throw refuse('CONFLICT', { message: 'This tier is no longer offered. Choose another one.' });
    const id = newId<'pass'>(now.getTime());
    const creation = creationOf(context, creator.userId, 'passes.create', input);
    const [secret] = engines.secrets;
    const expiresAt = new Date(now.getTime() + openDays * dayMs);
    const pass = { id, tokenHash: hashPassToken(passTokenOf(secret, id)), label: label || tier.name, days, places };
    const made = await asSystem((tx) =>
      makeOnce(tx, creation, id, async () => {
        const isKept = await insertPass(
          tx,
          { ...pass, creatorId: creator.userId, tierId, now, expiresAt },
          mostOpenPasses,
        );
        if (!isKept)
          throw refuse('CONFLICT', {
            message: `You've reached the limit of ${mostOpenPasses} open passes. Revoke one first.`,
          });
        const actor = { type: creator.kind, id: creator.userId };
        const target = { type: 'pass', id };
        await insertAudit(tx, { actor, action: 'pass.made', target, details: { days, places, openDays }, requestId });
      }),
    );
    return shownOne(context, made);
  }),
  revoke: answer.revoke.use(requireCreator).handler(async ({ context, input: { passId } }) => {
    const { creator, asSystem, now, requestId } = context;
    const isHers = await asSystem(async (tx) => {
      if (!(await revokePass(tx, passId, creator.userId, now))) return false;
      const actor = { type: creator.kind, id: creator.userId };
      await insertAudit(tx, { actor, action: 'pass.revoked', target: { type: 'pass', id: passId }, requestId });
      return true;
    });
    if (!isHers) throw refuse('NOT_FOUND');
    return shownOne(context, passId);
  }),
});
