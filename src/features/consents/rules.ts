import { dayMs } from '#kit/time.ts';
import type { ConsentState } from './contract.ts';

/** People of one album beside its creator. */
export const mostPeople = 20;
/** Requests that one creator may have mailed in a day, to whatever addresses. */
export const requestsADay = 20;
/** Requests that one creator may have mailed to one address in a day. */
export const requestsToOneADay = 3;
/** How long the proof of a consent is kept after it has ended or its album is gone. */
export const proofKeptMs = 3 * 365 * dayMs;

/** What may become of a request: a withdrawal and a refusal are final, and a new request has to be made. */
const next: Readonly<Record<ConsentState, readonly ConsentState[]>> = {
  requested: ['given', 'refused'],
  given: ['withdrawn'],
  refused: [],
  withdrawn: [],
};

/** Returns whether the person who was asked may do that now. */
export const mayBecome = (from: ConsentState, to: ConsentState): boolean => next[from].includes(to);

/** Returns whether the creator may take somebody off the album by themselves; what was withdrawn is looked at first. */
export const mayRemove = (state: ConsentState): boolean => state !== 'withdrawn';

/** The version of the words below; changed with them. */
export const consentVersion = '2026-11';

/** Returns what is agreed to, as it is shown and kept. */
export const writeConsent = ({ creatorName, albumName }: { creatorName: string; albumName: string }): string =>
  [
    `I am shown in photos or videos of the album “${albumName}” by ${creatorName} on PrivateFans.`,
    'I was 18 or older when they were made, and I agreed to be photographed or filmed.',
    `I agree that ${creatorName} shows them, and others of me that are added to this album later, to the people to whom they send a link, also for money.`,
    'I can withdraw my consent at any time, without a reason, on the page that this request was sent with. The album is then closed to everyone at once.',
  ].join('\n');
