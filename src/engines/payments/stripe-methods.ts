import type Stripe from 'stripe';
import type { Ask } from './stripe-ask.ts';

type CreateParams = Stripe.PaymentMethodConfigurationCreateParams;
type Method = Exclude<keyof CreateParams, 'expand' | 'name' | 'parent'>;

const name = 'privatefans';
const preferring = <const P extends 'on' | 'off'>(preference: P) => ({ display_preference: { preference } });
const [on, off] = [preferring('on'), preferring('off')];

/** Cards and wallets, which say at once whether they pay. */
const offered = { card: on, apple_pay: on, google_pay: on, link: on };

/** What takes days, pays by instalments or belongs to one country, by name: a new version of the library names new ones. */
const withheld: Record<Exclude<Method, keyof typeof offered>, typeof off> = {
  acss_debit: off,
  au_becs_debit: off,
  bacs_debit: off,
  nz_bank_account: off,
  sepa_debit: off,
  sofort: off,
  us_bank_account: off,
  customer_balance: off,
  pay_by_bank: off,
  payto: off,
  boleto: off,
  konbini: off,
  oxxo: off,
  multibanco: off,
  affirm: off,
  afterpay_clearpay: off,
  alma: off,
  apple_pay_later: off,
  billie: off,
  klarna: off,
  scalapay: off,
  sequra: off,
  sunbit: off,
  zip: off,
  alipay: off,
  amazon_pay: off,
  bancontact: off,
  bizum: off,
  blik: off,
  cartes_bancaires: off,
  cashapp: off,
  crypto: off,
  eps: off,
  fpx: off,
  fr_meal_voucher_conecs: off,
  giropay: off,
  grabpay: off,
  ideal: off,
  jcb: off,
  kakao_pay: off,
  kr_card: off,
  mb_way: off,
  mobilepay: off,
  naver_pay: off,
  p24: off,
  payco: off,
  paynow: off,
  paypal: off,
  paypay: off,
  pix: off,
  promptpay: off,
  revolut_pay: off,
  samsung_pay: off,
  satispay: off,
  swish: off,
  twint: off,
  upi: off,
  wechat_pay: off,
};

/** How a checkout says what can be paid with. */
export type Methods = Pick<
  Stripe.Checkout.SessionCreateParams,
  'payment_method_configuration' | 'allowed_payment_method_types'
>;

/** What the dashboard has of it: not every key may read or make a configuration. */
const byName: Methods = { allowed_payment_method_types: ['card', 'link'] };

const isForbidden = (error: unknown): boolean =>
  ((error as { cause?: { statusCode?: number } } | null)?.cause?.statusCode ?? 0) === 403;

async function findMethods(ask: Ask): Promise<Methods> {
  const known = await ask(async ({ paymentMethodConfigurations }) => {
    for await (const one of paymentMethodConfigurations.list({ limit: 100 }))
      if (one.name === name && one.active) return one;
    return undefined;
  });
  const params: CreateParams = { name, ...offered, ...withheld };
  const options = { idempotencyKey: `methods:${name}` };
  const { id } =
    known ?? (await ask(({ paymentMethodConfigurations }) => paymentMethodConfigurations.create(params, options)));
  return { payment_method_configuration: id };
}

/** Returns what checkouts offer, whatever the provider's dashboard does: made when it is first needed, and found by its name from then on. */
export function openMethods(ask: Ask): () => Promise<Methods> {
  let found: Promise<Methods> | undefined;
  return () => {
    found ??= findMethods(ask).catch((error: unknown) => {
      if (isForbidden(error)) return byName;
      found = undefined;
      throw error;
    });
    return found;
  };
}
