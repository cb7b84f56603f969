import { implement } from '@orpc/server';
import { findStorageExtra, insertStorageExtra, listStorageExtras } from '#features/accounts/storage-extras-store.ts';
import { findAccount } from '#features/accounts/store.ts';
import { creationOf, makeOnce } from '#features/audit/creations.ts';
import { insertAudit } from '#features/audit/store.ts';
import { listCreditLines, sumCredits } from '#features/money/credits-ledger-store.ts';
import { openPack } from '#features/money/packs.ts';
import { moneyNow } from '#features/money/project.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';
import { dayMs } from '#kit/time.ts';
import { requireCreator, requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { spendCredits } from './accounting.ts';
import { arrivePack, askPackBack, listBought } from './buying.ts';
import { creditsContract } from './contract.ts';
import { historyLength, packs, tellReason } from './rules.ts';
import { settleCredits } from './settling.ts';
import { countTraces } from './trace-till.ts';

const answer = implement(creditsContract).$context<Context>();

export const creditsApi = answer.router({
  balance: answer.balance.use(requireSignIn).handler(async ({ context: { engines, creator, work } }) => {
    const { realm } = engines.payments;
    await settleCredits(engines, creator.userId);
    return work(async (tx) => {
      const { balance, earned, spent } = await sumCredits(tx, realm, creator.userId);
      const lines = await listCreditLines(tx, realm, creator.userId, historyLength);
      return {
        currentBalance: balance,
        totalEarned: earned,
        totalSpent: spent,
        recentTransactions: lines.map(({ id, at, what, credits }) => ({
          ...{ id, reason: tellReason(what), date: at },
          type: credits < 0 ? ('debit' as const) : ('credit' as const),
          amount: Math.abs(credits),
        })),
      };
    });
  }),
  uses: answer.uses.use(requireSignIn).handler(async ({ context: { engines, creator, work } }) => {
    const { userId } = creator;
    const settings = await settingsOf(engines);
    await settleCredits(engines, userId);
    return work(async (tx) => ({
      canBuy: !engines.payments.isOff,
      isSandbox: engines.sandbox !== undefined,
      packs: await listBought(tx, engines, userId),
      storage: {
        credits: settings['credits.storage'],
        bytes: settings['credits.storageBytes'],
        days: settings['credits.storageDays'],
        has: await listStorageExtras(tx, userId, new Date(engines.clock())),
      },
      traces: {
        credits: settings['credits.trace'],
        free: settings['credits.freeTraces'],
        usedThisMonth: await countTraces(tx, engines, userId),
      },
    }));
  }),
  buy: answer.buy.use(requireCreator).handler(async ({ context, input: { credits } }) => {
    const { engines, creator, asSystem } = context;
    if (engines.payments.isOff)
      throw refuse('CONFLICT', { message: "Credits can't be bought on this server: it takes no payments." });
    const account = await asSystem((tx) => findAccount(tx, creator.userId));
    const pack = packs.find((one) => one.credits === credits);
    if (account === undefined || pack === undefined) throw refuse('NOT_FOUND');
    const wish = { userId: creator.userId, email: account.email, credits, amountCents: pack.cents };
    const returnPath = '/pricing?tab=credits&session_id={CHECKOUT_SESSION_ID}';
    return { clientSecret: await openPack(engines, { ...wish, returnPath }) };
  }),
  arrive: answer.arrive
    .use(requireSignIn)
    .handler(({ context, input: { sessionId } }) => arrivePack(context, sessionId)),
  askBack: answer.askBack.use(requireSignIn).handler(({ context, input: { packId } }) => askPackBack(context, packId)),
  addStorage: answer.addStorage.use(requireCreator).handler(async ({ context, input }) => {
    const { engines, creator, asSystem, now, requestId } = context;
    const { userId } = creator;
    const settings = await settingsOf(engines);
    const credits = input.count * settings['credits.storage'];
    const creation = creationOf(context, userId, 'credits.addStorage', input);
    if (input.credits !== credits) throw refuse('PRICE_CHANGED');
    await settleCredits(engines, userId);
    const { realm } = engines.payments;
    const id = newId<'extra'>(now.getTime());
    const endsAt = new Date(now.getTime() + settings['credits.storageDays'] * dayMs);
    return asSystem(async (tx) => {
      const made = await makeOnce(tx, creation, id, async () => {
        const spending = { realm, userId, jobId: id, what: 'storage', credits } as const;
        if (!(await spendCredits(tx, { ...spending, now: moneyNow(engines) }))) {
          const { balance } = await sumCredits(tx, realm, userId);
          const has = Math.max(0, balance);
          const message = `Extra storage costs ${formatCount(credits, 'credit')}, and you have ${has}.`;
          throw refuse('CREDITS_NEEDED', { credits, reason: 'too_few', message });
        }
        const bytes = input.count * settings['credits.storageBytes'];
        await insertStorageExtra(tx, { id, userId, bytes, createdAt: now, endsAt });
        const actor = { type: creator.kind, id: userId };
        await insertAudit(tx, { actor, action: 'storage.extended', details: { bytes, credits }, requestId });
        await tx.tell({ kind: 'plan.changed', creatorId: userId });
      });
      const extra = await findStorageExtra(tx, made);
      return { id: made, endsAt: extra?.endsAt ?? endsAt };
    });
  }),
});
