import type { CheckoutOrder, Payments } from '#engines/payments/payments.ts';

/** What came of something that was tried, in plain words and whole cents. */
export type Fact = string | number | boolean | null | Fact[] | { [name: string]: Fact };

/** What a card of a test does, whatever its number or name is on a side. */
export type Card = 'good' | 'available' | 'declined' | 'declinesLater' | 'disputed' | 'inquired' | 'warned';

export interface Paid {
  paymentId: string;
  chargeId: string;
}

/** What a bank says to evidence. */
export type Decision = 'won' | 'lost' | 'escalated';

/** Something that is paid every month, and the clock that it goes by. */
export interface Taken {
  subscriptionId: string;
  /** Lets time go by. */
  passUntil(moment: Date): Promise<void>;
  /** Whoever pays gives another card, in the portal. */
  changeCard(card: Card): Promise<void>;
}

/** A creator's own plan that is to be taken. */
export interface PlanScene {
  name: string;
  trialDays: number | undefined;
  amountCents: number;
  /** Left out where nobody asks for one. */
  card: Card | undefined;
}

/** What people, banks and the dashboard do: the only things that do not go through our own adapter. */
export interface People {
  /** The creator answers what the provider asks of her. */
  onboard(accountId: string, url: string): Promise<void>;
  /** Somebody pays what a checkout of ours asks for. @returns the payment, declined or not */
  pay(order: CheckoutOrder, card: Card): Promise<Paid>;
  /** Somebody pays for something of the platform's own. */
  payOwn(order: { orderId: string; amountCents: number }, card: Card): Promise<Paid>;
  /** The operator gives a part back, in the dashboard. */
  refund(paid: Paid, amountCents: number): Promise<void>;
  /** Somebody pays from a bank account instead of a card. */
  payByBank(order: CheckoutOrder): Promise<Paid>;
  /** Lets a payout be made while the creator's bank takes none. @param payOut makes it and says its name */
  failPayout(accountId: string, payOut: () => Promise<string>): Promise<string>;
  /** The bank decides what it has been given evidence for. */
  decide(disputeId: string, decision: Decision): Promise<void>;
  takePlan(scene: PlanScene): Promise<Taken>;
  /** A fan takes what a checkout of ours asks for every month. */
  takeFanPlan(order: CheckoutOrder): Promise<Taken>;
  /** Looks at the key and at what was set in the dashboard, before anything is tried. */
  inspect(): Promise<{ [name: string]: Fact }>;
  /** The platform has money that is available. */
  fund(): Promise<void>;
  /** Somebody opens the provider's frame on a page of the product. */
  showFrame(): Promise<{ [name: string]: Fact }>;
}

/** One of the two that are compared: the sandbox, or whatever speaks for Stripe. */
export interface Side {
  name: string;
  payments: Payments;
  people: People;
  /** Distinguishes the names of this run from those of another one. */
  run: string;
  startedAt: Date;
  now(): Date;
  /** How long to wait for what comes a little later. */
  patience: { tries: number; pauseMs: number };
  /** What earlier steps have left for later ones. */
  kept: { accountId?: string; openingCents?: number };
  close(): Promise<void>;
}

/** By which the events of a proof are signed. */
export const hookSecrets = { stripe: 'whsec_proof', 'stripe-connect': 'whsec_proof_connect' } as const;

/** Says why a step cannot be tried here. */
export class NotTried extends Error {}

/** @throws NotTried before a creator's account is ready */
export function accountOf({ kept }: Side): string {
  if (kept.accountId === undefined) throw new NotTried('there is no account that is ready to be paid');
  return kept.accountId;
}

const pause = (ms: number) => new Promise((over) => setTimeout(over, ms));

/** Asks again until an answer is there. @throws where none comes */
export async function eventually<T>({ patience }: Side, what: string, find: () => Promise<T | undefined>): Promise<T> {
  for (let left = patience.tries; left > 0; left -= 1) {
    const found = await find();
    if (found !== undefined) return found;
    await pause(patience.pauseMs);
  }
  throw new Error(`${what} did not come`);
}
