import type { HookName } from './payments.ts';

/** Takes one signed event, as a hook of ours would. @returns the status it answered with, and what it said if that is of interest */
export type TakeEvent = (
  hook: HookName,
  body: string,
  signature: string,
) => Promise<number | { status: number; words: string }>;

/** An event and what became of it. */
export interface Delivery {
  id: string;
  hook: string;
  type: string;
  /** What it is about. */
  objectId: string;
  state: 'taken' | 'waiting' | 'given_up';
  createdAt: Date;
  /** When a waiting one is told next. */
  nextAt: Date;
  /** Newest first. A status of 0 is no answer. */
  attempts: { at: Date; status: number; error: string | null }[];
}

/** What goes wrong on purpose between the provider and the hooks. */
export interface Chaos {
  /** Every event is told twice. */
  duplicates: boolean;
  /** What happened last is told first. */
  reorders: boolean;
  /** An event is told a minute late. */
  delays: boolean;
  /** Every event is lost, and not told again by itself. */
  drops: boolean;
  /** Instead of taking an event the hook answers 500. */
  answers500: boolean;
}

/** What the provider says to a call instead of doing it. */
export interface CallTrouble {
  /** 401: the key is not taken; 403: it lacks a permission; 409: the same call is still under way. */
  status: 401 | 403 | 409;
  /** Calls of this kind only, as in `POST /v1/refunds`; left out, all of them. */
  endpoint?: string;
}

/** A checkout as the sandbox's own page shows it. */
export interface SandboxCheckout {
  product: string;
  /** The address that somebody gave when they tried to pay it; empty when nobody did. */
  payerEmail: string;
  amountCents: number;
  currency: string;
  isOpen: boolean;
  /** It is paid again and again, each time for so many months. */
  months?: number;
  /** A plan is taken in a frame of ours; its first days may be free, and no card needed for them. */
  plan?: { email: string; trialDays: number | null; asksForCard: boolean; monthlyCents: number };
  /** It is paid in a frame of ours by somebody who is known. */
  framed?: { email: string };
  successUrl: string;
  cancelUrl: string;
}

/** What came of a card: where its owner goes on, why it wasn't taken, or that its bank asks them first. */
export type TakenCard = { url: string } | { declined: string } | { asksBank: true };

/** The parts of the built-in provider that people and developers touch. Nothing here moves money. */
export interface Sandbox {
  /** @returns undefined when there is none */
  findCheckout(sessionId: string): Promise<SandboxCheckout | undefined>;
  pay(sessionId: string, payer: { email: string; card: string }): Promise<TakenCard>;
  /** Takes a plan. @param card left out where none is asked for */
  takePlan(sessionId: string, card: string | undefined): Promise<TakenCard>;
  /** Returns what a bank asks the owner of a card about, by the name of the checkout or of the page of the card. */
  findBankPage(id: string): Promise<{ amountCents: number; currency: string; last4: string } | undefined>;
  /** The owner of a card answers their bank. @returns undefined when it has asked nothing */
  answerBank(id: string, isConfirmed: boolean): Promise<TakenCard | undefined>;
  /** Where another card is waited for under this name; undefined when it is not. */
  findCardPage(portalId: string): Promise<{ backUrl: string } | undefined>;
  changeCard(portalId: string, card: string): Promise<TakenCard>;
  /** @returns where the creator goes; undefined when nothing was asked of this account */
  answerOnboarding(accountId: string, isComplete: boolean): Promise<string | undefined>;
  /** The provider rejects a creator. @returns where they go; undefined when nothing was asked of this account */
  rejectAccount(accountId: string): Promise<string | undefined>;
  /** A creator answers all but for a bank account, or the provider checks what they have answered. @returns the same */
  answerPartly(accountId: string, said: 'no_bank' | 'checked'): Promise<string | undefined>;
  hasAccount(accountId: string): Promise<boolean>;
  /** An account is closed: calls for it are refused as for one that was disconnected. */
  closeAccount(accountId: string): Promise<void>;
  /** Calls meet this trouble from now on, in this process; undefined ends it. */
  setTrouble(trouble: CallTrouble | undefined): void;
  /** Bills of this plan can't be made final from now on, for this reason by its code; undefined ends it. */
  spoilBills(subscriptionId: string, code: string | undefined): Promise<void>;
  /** Pays out of an account, as the provider does on its schedule; below zero it comes back from the bank. */
  payOut(accountId: string, amountCents: number): Promise<void>;
  /** The platform adds money of its own, which is available to it at once. */
  topUp(amountCents: number): Promise<void>;
  /** Returns whether the platform itself is paid out each day with all that it has, as a new account of the provider is. */
  setOwnSchedule(isDaily: boolean): Promise<void>;
  /** The bank sends a payout back. */
  rejectPayout(payoutId: string): Promise<void>;
  /** The buyer's bank does not take a refund that was made. */
  sendRefundBack(refundId: string): Promise<void>;
  /** Whoever has paid disputes it with their bank. @returns the name of the dispute @throws where nothing of it can be */
  dispute(chargeId: string): Promise<string>;
  /** Their bank only asks about it. @returns the name of the dispute @throws where nothing of it can be */
  inquire(chargeId: string): Promise<string>;
  /** A chargeback comes of what a bank has asked about. @throws where it is none */
  escalate(disputeId: string): Promise<void>;
  /** The bank decides. @param more whether it returns what the dispute has cost, where it is won @returns false when it has already */
  decideDispute(disputeId: string, isWon: boolean, more?: { returnsFee?: boolean | undefined }): Promise<boolean>;
  /** A card's bank reports a payment as possible fraud. @returns the name of the warning @throws where it cannot be */
  warn(chargeId: string): Promise<string>;
  /** Where events are told from now on; nowhere, when nobody takes them any more. */
  deliverTo(take: TakeEvent | undefined): void;
  /** Whether events are told just now: a developer may try how it goes without. What is not told is kept, and told later. */
  isTelling(): boolean;
  setTelling(isTelling: boolean): void;
  /** Tells what is due; what is not taken is told again later, for three days. */
  deliverDue(): Promise<void>;
  /** The newest events. @param isUntaken only those that no hook has taken */
  deliveries(isUntaken: boolean): Promise<Delivery[]>;
  /** Tells one event now, taken or not. @returns false when there is none, or nobody to tell it to */
  sendAgain(eventId: string): Promise<boolean>;
  chaos(): Promise<Chaos>;
  /** Holds for every process, and after a restart. */
  setChaos(chaos: Chaos): Promise<void>;
  /** By how much a developer has turned the clock, as it was kept; a restart goes on there. */
  clockOffset(): Promise<number>;
  keepClockOffset(offsetMs: number): Promise<void>;
  /** Returns what happens next by itself, and when. */
  findNextDue(): Promise<{ at: Date; what: string } | undefined>;
  /** How an event is signed, for whoever tells it another way. */
  sign(hook: HookName, body: string): Promise<string>;
}
