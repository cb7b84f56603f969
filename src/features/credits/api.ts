import { implement } from '@orpc/server';
import { findAccount } from '#features/accounts/store.ts';
import { openPack } from '#features/orders/packs.ts';
import { requireCreator, requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { creditsContract } from './contract.ts';
import { listCreditLines, sumCredits } from './ledger-store.ts';
import { settleCredits } from './lots/settling.ts';
import { arrivePack, askPackBack } from './packs/buying.ts';
import { describeReason, historyLength, packs } from './rules.ts';
import { addStorage, buyAnswers, buyVideoTime, giveLinkWord, moveVideo } from './spending/spending.ts';
import { listUses } from './spending/uses.ts';

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
          id,
          reason: describeReason(what),
          date: at,
          type: credits < 0 ? ('debit' as const) : ('credit' as const),
          amount: Math.abs(credits),
        })),
      };
    });
  }),
  uses: answer.uses.use(requireSignIn).handler(({ context }) => listUses(context)),
  buy: answer.buy.use(requireCreator).handler(async ({ context, input: { credits } }) => {
    const { engines, creator, asSystem } = context;
    if (engines.payments.isOff)
      throw refuse('CONFLICT', { message: "Credits can't be bought on this server: it takes no payments." });
    const account = await asSystem((tx) => findAccount(tx, creator.userId));
    const pack = packs.find((one) => one.credits === credits);
    if (account === undefined || pack === undefined) throw refuse('NOT_FOUND');
    const params = { userId: creator.userId, email: account.email, credits, amountCents: pack.cents };
    const returnPath = '/pricing?tab=credits&session_id={CHECKOUT_SESSION_ID}';
    return { clientSecret: await openPack(engines, { ...params, returnPath }) };
  }),
  arrive: answer.arrive
    .use(requireSignIn)
    .handler(({ context, input: { sessionId } }) => arrivePack(context, sessionId)),
  askBack: answer.askBack.use(requireSignIn).handler(({ context, input: { packId } }) => askPackBack(context, packId)),
  addStorage: answer.addStorage.use(requireCreator).handler(({ context, input }) => addStorage(context, input)),
  giveWord: answer.giveWord.use(requireCreator).handler(({ context, input }) => giveLinkWord(context, input)),
  moveToFront: answer.moveToFront.use(requireCreator).handler(({ context, input }) => moveVideo(context, input)),
  addVideoTime: answer.addVideoTime.use(requireCreator).handler(({ context, input }) => buyVideoTime(context, input)),
  addAnswers: answer.addAnswers.use(requireCreator).handler(({ context, input }) => buyAnswers(context, input)),
});
