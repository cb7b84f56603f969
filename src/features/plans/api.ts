import { implement } from '@orpc/server';
import { requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { findArrival, mailAgain } from './checkouts/arriving.ts';
import { takePlan, takeTrial } from './checkouts/taking-a-plan.ts';
import { billingContract } from './contract.ts';
import { changePlanEnd, findCardPage, takeMoneyBack } from './ending-a-plan.ts';
import { endPause, pausePlan } from './pauses/pausing-a-plan.ts';
import { checkPlan, showPlan } from './showing-a-plan.ts';

const answer = implement(billingContract).$context<Context>();

export const billingApi = answer.router({
  checkSubscription: answer.checkSubscription.use(requireSignIn).handler(({ context }) => checkPlan(context)),
  stripeConfig: answer.stripeConfig.handler(async ({ context: { engines } }) => {
    const { payments, sandbox } = engines;
    if (payments.isOff) throw refuse('CONFLICT', { message: 'Failed to load Stripe configuration' });
    const { publishableKey, scriptUrl } = await payments.browser();
    if (!publishableKey.startsWith('pk_')) throw refuse('CONFLICT', { message: 'Invalid publishable key' });
    const mode = sandbox === undefined ? (payments.realm.livemode ? 'live' : 'test') : 'sandbox';
    return { publishableKey, mode, ...(scriptUrl !== undefined && { scriptUrl }) };
  }),
  createTrialCheckout: answer.createTrialCheckout.handler(async ({ context, input: { email, trialCode } }) => ({
    clientSecret: await takeTrial(context, { email, code: trialCode }),
  })),
  createPlanCheckout: answer.createPlanCheckout
    .use(requireSignIn)
    .handler(async ({ context }) => ({ clientSecret: await takePlan(context) })),
  arrive: answer.arrive.handler(({ context, input: { sessionId } }) => findArrival(context, sessionId)),
  mailAgain: answer.mailAgain.handler(({ context, input: { sessionId } }) => mailAgain(context, sessionId)),
  plan: answer.plan.use(requireSignIn).handler(({ context }) => showPlan(context)),
  cancelPlan: answer.cancelPlan.use(requireSignIn).handler(async ({ context }) => {
    await changePlanEnd(context, true);
    return showPlan(context);
  }),
  resumePlan: answer.resumePlan.use(requireSignIn).handler(async ({ context }) => {
    await changePlanEnd(context, false);
    return showPlan(context);
  }),
  pausePlan: answer.pausePlan.use(requireSignIn).handler(async ({ context, input: { months } }) => {
    await pausePlan(context, months);
    return showPlan(context);
  }),
  endPause: answer.endPause.use(requireSignIn).handler(async ({ context }) => {
    await endPause(context);
    return showPlan(context);
  }),
  moneyBack: answer.moneyBack.use(requireSignIn).handler(async ({ context }) => {
    await takeMoneyBack(context);
    return showPlan(context);
  }),
  changeCard: answer.changeCard
    .use(requireSignIn)
    .handler(async ({ context }) => ({ url: await findCardPage(context) })),
});
