import type Stripe from 'stripe';
import * as z from 'zod';
import { type Books, SandboxError } from './books.ts';
import { amount, type Call, type Endpoints, page, paged, read, show } from './calls.ts';
import { newObjectId } from './objects.ts';
import { listObjects, listReported, platform } from './store.ts';

/** The provider's test card whose bank reports possible fraud a little after it was charged. */
const reportedCard = '4000000000005423';
const reportSeconds = 60;
const kind = 'radar.early_fraud_warning';

const isActionable = ({ disputed, refunded }: Stripe.Charge) => !disputed && !refunded;

async function findWarningOf({ tx }: Books, charge: string): Promise<Stripe.Radar.EarlyFraudWarning | undefined> {
  const [found] = await listObjects(tx, { type: kind, account: platform, where: { charge }, limit: 1 });
  return found as Stripe.Radar.EarlyFraudWarning | undefined;
}

/** Notes that the bank of this card will report what was charged to it, where it is one that does. */
export async function reportLater(books: Books, chargeId: string, card: string): Promise<void> {
  if (card !== reportedCard) return;
  const charge = await books.find<Stripe.Charge>(chargeId, 'charge');
  await books.keep(charge, { hidden: { report_at: books.now + reportSeconds } });
}

/** A card's bank reports a payment as possible fraud. @throws SandboxError where nothing was paid, or it is reported already */
export async function warnOf(books: Books, chargeId: string): Promise<Stripe.Radar.EarlyFraudWarning> {
  const charge = await books.find<Stripe.Charge>(chargeId, 'charge');
  if (charge.status !== 'succeeded' || (await findWarningOf(books, chargeId)) !== undefined)
    throw new SandboxError(400, 'parameter_invalid', `${chargeId} cannot be reported.`);
  const { payment_intent } = charge;
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: newObjectId('issfr'),
    object: kind,
    actionable: isActionable(charge),
    charge: chargeId,
    created: books.now,
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    ...(typeof payment_intent === 'string' && { payment_intent }),
  };
  await books.publish(`${kind}.created`, await books.keep(warning));
  return warning;
}

/** Nothing can be done about a warning any more once its payment is disputed or was given back whole. */
export async function followWarning(books: Books, charge: Stripe.Charge): Promise<void> {
  if (isActionable(charge)) return;
  const warning = await findWarningOf(books, charge.id);
  if (warning?.actionable !== true) return;
  await books.publish(`${kind}.updated`, await books.keep({ ...warning, actionable: false }));
}

/** Banks report what is due to be reported. */
export async function bringReports(books: Books): Promise<void> {
  for (const charge of await listReported(books.tx, books.now)) {
    await books.keep(charge, { hidden: { report_at: null } });
    if ((await findWarningOf(books, charge.id)) === undefined) await warnOf(books, charge.id);
  }
}

async function listWarnings({ tx }: Books, call: Call): Promise<object> {
  const created = z.strictObject({ gte: amount }).optional();
  const shape = z.strictObject({ ...paged, created, charge: z.string().optional() });
  const { limit, starting_after: after, created: from, charge } = read(shape, call);
  const asked = { type: kind, account: platform, where: { charge }, since: from?.gte, after, limit };
  return page(await listObjects(tx, asked), limit, '/v1/radar/early_fraud_warnings');
}

export const warningEndpoints: Endpoints = {
  'GET /v1/radar/early_fraud_warnings': listWarnings,
  'GET /v1/radar/early_fraud_warnings/:id': show('early_fraud_warning'),
};
