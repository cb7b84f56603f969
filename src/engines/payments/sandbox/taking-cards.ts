import type Stripe from 'stripe';
import type { Sandbox, TakenCard } from '../sandbox-parts.ts';
import { askedOf, failAuthentication, forgetBank, unconfirmed } from './asking-bank.ts';
import type { Books } from './books.ts';
import { paySession } from './paying.ts';
import { changeCard, subscribe, takePlan } from './taking-plans.ts';

type Session = Stripe.Checkout.Session;

export const landingOf = (url: string | null, sessionId: string) =>
  (url ?? '/').replace('{CHECKOUT_SESSION_ID}', sessionId);

type Outcome = { session: Session } | Exclude<TakenCard, { url: string }>;
const leadOn = (outcome: Outcome): TakenCard => {
  if (!('session' in outcome)) return outcome;
  const { success_url, return_url, id } = outcome.session;
  return { url: landingOf(success_url ?? return_url ?? null, id) };
};

const idPattern = /^(cs|bps)_\w{1,80}$/;
const sessionOf = ({ find }: Books, id: string) => find<Session>(id, 'checkout.session');

async function payWith(books: Books, session: Session, payer: { email: string; card: string }, isConfirmed = false) {
  const isMonthly = session.mode === 'subscription';
  return leadOn(
    await (isMonthly
      ? subscribe(books, session, payer, isConfirmed)
      : paySession(books, session.id, payer, isConfirmed)),
  );
}

/** The payer has answered their bank. @returns undefined where it had asked nothing */
async function answerBank(books: Books, id: string, isConfirmed: boolean): Promise<TakenCard | undefined> {
  const session = id.startsWith('cs_') ? await sessionOf(books, id) : undefined;
  // A second tap is led on like the first.
  if (session?.status === 'complete') return leadOn({ session });
  const asked = await askedOf(books, id);
  if (asked === undefined || session?.status === 'expired') return undefined;
  await forgetBank(books, id);
  if (isConfirmed && session === undefined) return changeCard(books, id, asked.card, true);
  if (isConfirmed && session?.ui_mode === 'embedded_page' && session.mode === 'subscription')
    return leadOn(await takePlan(books, session, asked, true));
  if (isConfirmed && session !== undefined) return payWith(books, session, asked, true);
  if (typeof session?.payment_intent === 'string')
    await failAuthentication(books, await books.find<Stripe.PaymentIntent>(session.payment_intent, 'payment_intent'));
  return { declined: unconfirmed };
}

async function findBankPage(books: Books, id: string): ReturnType<Sandbox['findBankPage']> {
  const asked = await askedOf(books, id);
  const session = asked !== undefined && id.startsWith('cs_') ? await sessionOf(books, id) : undefined;
  if (asked === undefined || (session !== undefined && session.status !== 'open')) return undefined;
  const { amount_total, currency } = session ?? {};
  return { amountCents: amount_total ?? 0, currency: currency ?? 'usd', last4: asked.card.slice(-4) };
}

type Taking = Pick<Sandbox, 'pay' | 'takePlan' | 'changeCard' | 'findBankPage' | 'answerBank'>;

/** Returns what people do with a card, on every page that asks for one. */
export function takingOf(inBooks: <T>(run: (books: Books) => Promise<T>) => Promise<T>): Taking {
  return {
    pay: (id, payer) => inBooks(async (books) => payWith(books, await sessionOf(books, id), payer)),
    takePlan: (id, card) =>
      inBooks(async (books) => {
        const session = await sessionOf(books, id);
        const payer = card === undefined ? undefined : { email: session.customer_email ?? '', card };
        return leadOn(await takePlan(books, session, payer));
      }),
    changeCard: (id, card) => inBooks((books) => changeCard(books, id, card)),
    findBankPage: async (id) => (idPattern.test(id) ? inBooks((books) => findBankPage(books, id)) : undefined),
    answerBank: async (id, isConfirmed) =>
      idPattern.test(id)
        ? inBooks(async (books) =>
            (await books.hiddenOf(id)).asked === undefined ? undefined : answerBank(books, id, isConfirmed),
          )
        : undefined,
  };
}
