import type { RefusalCode } from '#wire/refusals.ts';
import type { Things } from './things.ts';

const mailed = { token: 'A'.repeat(43) };

/** Bodies about who is shown: of an album that no link shows, and of nobody's mailed links. */
export const consentBodies: Record<string, (things: Things) => object> = {
  'consents.list': ({ spareAlbum }) => ({ albumId: spareAlbum }),
  'consents.say': ({ spareAlbum }) => ({ albumId: spareAlbum, peopleConsent: 'others_with_consent' }),
  'consents.add': ({ spareAlbum }) => ({
    albumId: spareAlbum,
    name: 'Lena',
    email: `lena-${crypto.randomUUID()}@example.com`,
  }),
  'consents.resend': ({ coPerformer }) => ({ coPerformerId: coPerformer }),
  'consents.remove': ({ coPerformer }) => ({ coPerformerId: coPerformer }),
  'consents.sayPicturesGone': ({ coPerformer }) => ({ coPerformerId: coPerformer }),
  'consents.look': () => mailed,
  'consents.give': () => ({ ...mailed, typedName: 'Lena Berg', isAdult: true, agrees: true }),
  'consents.refuse': () => ({ ...mailed, isNotMe: false }),
  'consents.withdraw': () => mailed,
};

/** What a cell does not have: a mailed link, a withdrawal, and a day of its own to ask in. */
export const consentRefusals: Readonly<Record<string, readonly RefusalCode[]>> = {
  'consents.add': ['CONFLICT', 'RATE_LIMITED'],
  'consents.resend': ['RATE_LIMITED'],
  'consents.sayPicturesGone': ['CONFLICT'],
  'consents.look': ['GONE'],
  'consents.give': ['GONE'],
  'consents.refuse': ['GONE'],
  'consents.withdraw': ['GONE'],
};
