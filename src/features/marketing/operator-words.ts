import type { Facts } from './contract.ts';
import { usualFacts } from './facts.ts';
import type { Measured } from './legal/consent-words.ts';

/** What the legal pages say by the settings, and by what can be bought. */
interface LegalNumbers {
  sellsPlans: boolean;
  leaseSeconds: number;
  trialDays: number;
  sessionDays: number;
  contentPolicy: Facts['contentPolicy'];
  credits: Facts['credits'];
  payouts: Facts['payouts'];
}

/** Who runs an installation, as far as that has been set up, and by which settings. */
export interface Operator extends LegalNumbers {
  name: string | null;
  email: string | null;
  /** The server of a language model that is sent questions to Sofia; null when they stay here. */
  assistantHost: string | null;
  /** By whom visits of public pages are measured, after consent. */
  measured: Measured;
}

/** By whom visits are measured. */
export const measuredBy = ({ countsVisits, gtagId }: Pick<Facts, 'countsVisits' | 'gtagId'>): Measured => ({
  byUs: countsVisits,
  byGoogle: gtagId !== null,
});

/** The same out of what the pages are told. */
export const operatorOf = ({
  operator,
  assistantHost,
  limits,
  plan,
  sessionDays,
  contentPolicy,
  sellsPlans,
  credits,
  payouts,
  ...facts
}: Facts): Operator => ({
  ...operator,
  assistantHost,
  measured: measuredBy(facts),
  leaseSeconds: limits.leaseSeconds,
  trialDays: plan.trialDays,
  sessionDays,
  contentPolicy,
  sellsPlans,
  credits,
  payouts,
});

/** Until the server has answered: nobody is named, and the numbers are those of a new installation. */
export const unnamedOperator: Operator = operatorOf(usualFacts);

/** Who runs the place, in the middle of a sentence. */
export const nameOperator = ({ name }: Pick<Operator, 'name'>): string => name ?? "this installation's operator";

/** How they can be reached. */
export const describeContact = ({ email }: Pick<Operator, 'email'>): string =>
  email === null
    ? 'To get in touch, use the contact page of this site (/contact).'
    : `To get in touch, use the contact page of this site (/contact) or write to ${email}.`;

/** The same where no form can be used. */
export const describeMailbox = ({ email }: Pick<Operator, 'email'>): string =>
  email === null
    ? 'To get in touch, contact the person who gave you this address; no contact email has been set up yet.'
    : `To get in touch, write to ${email}.`;
