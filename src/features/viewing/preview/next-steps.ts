import type { PreviewId, PreviewState } from './preview-contract.ts';

/** The gates of a link in the order in which somebody new meets them; of those that end in a payment or a yes there is one. */
const way: readonly PreviewId[] = [
  'NEED_AGE',
  'NEED_PASSWORD',
  'NEED_EMAIL',
  'NEED_AGREEMENT',
  'NEED_APPROVAL',
  'NEED_OFFER',
];

type Next = PreviewState['next'];

/** Returns what follows a gate of this link; the gallery after the last one. */
function after(id: PreviewId | undefined, states: ReadonlySet<PreviewId>): PreviewId {
  const rest = way.slice(id === undefined ? 0 : way.indexOf(id) + 1);
  return rest.find((gate) => states.has(gate)) ?? 'OPEN';
}

/** The screen that the tap on Open leads to. */
export const firstOf = (states: ReadonlySet<PreviewId>): PreviewId => after(undefined, states);

/** Returns where each step of a screen leads: an answer is never checked, and nothing leaves the browser. */
export function nextOf(id: PreviewId, states: ReadonlySet<PreviewId>): Next {
  const leads: Partial<Record<PreviewId, Next>> = {
    NEED_AGE: { isAdult: after('NEED_AGE', states) },
    NEED_PASSWORD: { password: after('NEED_PASSWORD', states) },
    PASSWORD_WRONG: { password: after('NEED_PASSWORD', states) },
    NEED_EMAIL: { email: 'NEED_EMAIL_CODE' },
    NEED_EMAIL_CODE: { email: 'NEED_EMAIL_CODE', emailCode: after('NEED_EMAIL', states) },
    EMAIL_NOT_ALLOWED: { email: 'NEED_EMAIL_CODE' },
    NEED_AGREEMENT: { agreed: after('NEED_AGREEMENT', states) },
    NEED_APPROVAL: { accessRequest: 'APPROVAL_PENDING' },
    APPROVAL_PENDING: { withdrawsRequest: 'NEED_APPROVAL' },
    APPROVAL_DENIED: { accessRequest: 'APPROVAL_PENDING' },
    NEED_OFFER: { pays: 'OPEN', accessRequest: 'OFFER_ASKED' },
    OFFER_ASKED: { pays: 'OPEN', withdrawsRequest: 'NEED_OFFER' },
    CONCURRENT: { takeOver: 'OPEN' },
    CODE_WRONG: { resumeCode: 'OPEN' },
  };
  // Whatever says that nothing is there takes an access code, which is wrong here.
  return leads[id] ?? { resumeCode: 'CODE_WRONG' };
}
