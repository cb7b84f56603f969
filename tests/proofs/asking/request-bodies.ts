import type { RefusalCode } from '#wire/refusals.ts';
import type { Things } from './things.ts';

/** Bodies of custom work: of nobody's codes, and of each caller's own request. */
export const requestBodies: Record<string, (things: Things) => object> = {
  'requests.offer': () => ({ handle: 'a_free_handle' }),
  'requests.mailCode': () => ({ handle: 'a_free_handle', email: 'nobody@example.com' }),
  'requests.ask': () => ({
    handle: 'a_free_handle',
    title: 'A photo',
    brief: 'At the beach',
    kind: 'photo',
    quantity: 1,
    offeredCents: 4000,
    emailCode: '000000',
  }),
  'requests.show': () => ({ code: 'of nobody' }),
  'requests.mine': () => ({}),
  'requests.mailLink': () => ({ code: 'of nobody' }),
  'requests.claim': () => ({ code: 'of nobody', token: 'of nobody' }),
  'requests.pay': () => ({ code: 'of nobody', amountCents: 4000 }),
  'requests.say': () => ({ code: 'of nobody', what: 'accept' }),
  'requests.report': () => ({ code: 'of nobody', reason: 'other', text: 'Only half.' }),
  'requests.open': () => ({ code: 'of nobody' }),
  'requests.paid': () => ({ sessionId: 'of nobody' }),
  'requests.settings': () => ({}),
  'requests.changeSettings': () => ({
    isOn: false,
    leastCents: 1000,
    priceList: [],
    days: 14,
    wontDo: '',
    mostOpen: 10,
  }),
  'requests.list': () => ({}),
  'requests.one': ({ request }) => ({ requestId: request }),
  'requests.accept': ({ request }) => ({ requestId: request, days: 7 }),
  'requests.counter': ({ request }) => ({ requestId: request, cents: 5000, days: 7 }),
  'requests.decline': ({ request }) => ({ requestId: request }),
  'requests.cancel': ({ request }) => ({ requestId: request }),
  'requests.deliver': ({ request, album }) => ({ requestId: request, albumId: album }),
};

/** What they refuse whoever may call them: a secret or a state that a cell does not have. */
export const requestRefusals: Readonly<Record<string, readonly RefusalCode[]>> = {
  'requests.offer': ['NOT_FOUND'],
  'requests.mailCode': ['NOT_FOUND'],
  'requests.ask': ['NOT_FOUND'],
  'requests.show': ['NOT_FOUND'],
  'requests.mailLink': ['NOT_FOUND'],
  'requests.claim': ['NOT_FOUND'],
  'requests.pay': ['NOT_FOUND'],
  'requests.say': ['NOT_FOUND'],
  'requests.report': ['NOT_FOUND'],
  'requests.open': ['NOT_FOUND'],
  'requests.accept': ['PAYOUTS_NOT_READY'],
  'requests.counter': ['PAYOUTS_NOT_READY'],
  'requests.decline': ['CONFLICT'],
  // Nothing was paid for it.
  'requests.cancel': ['CONFLICT'],
  'requests.deliver': ['CONFLICT'],
};
