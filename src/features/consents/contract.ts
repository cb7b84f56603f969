import * as z from 'zod';
import { boundedText, nameText } from '#kit/bounded-text.ts';
import { Email } from '#kit/email-address.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatingPromise, creatorPromise, promise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

export const PeopleConsent = z.enum(['only_me', 'others_with_consent']);
export const ConsentState = z.enum(['requested', 'given', 'refused', 'withdrawn']);
export type ConsentState = z.infer<typeof ConsentState>;

/** Somebody who is shown in an album, as its creator sees them. */
export const CoPerformer = z.object({
  id: Uuid,
  name: z.string(),
  email: z.string().nullable(),
  state: ConsentState,
  requestedAt: z.date(),
  /** When the state was reached. */
  at: z.date(),
  /** When the creator said that this person's pictures are out of the album; it is being looked at. */
  picturesGoneAt: z.date().nullable(),
});
export type CoPerformer = z.infer<typeof CoPerformer>;

export const AlbumPeople = z.object({ peopleConsent: PeopleConsent.nullable(), people: z.array(CoPerformer) });
export type AlbumPeople = z.infer<typeof AlbumPeople>;

/** What somebody is asked to agree to. */
export const ConsentRequest = z.object({
  creatorName: z.string(),
  /** What the creator calls the person who is asked. */
  name: z.string(),
  /** Null once the album is gone. */
  album: z.object({ name: z.string(), photoCount: z.int(), videoCount: z.int() }).nullable(),
  state: ConsentState,
  at: z.date(),
  /** The person is none of the album's any more. */
  isOver: z.boolean(),
  /** What is agreed to, or was. */
  words: z.string(),
});
export type ConsentRequest = z.infer<typeof ConsentRequest>;

const tags = ['consents'];
const longestName = 80;
const AlbumInput = z.object({ albumId: Uuid });
const PersonInput = z.object({ coPerformerId: Uuid });
const everybody = ['visitor', 'viewer', 'creator', 'admin'] as const;
const mailed = () => promise({ who: everybody, subject: 'none' }).errors(refusing('GONE', 'CONFLICT'));
const token = boundedText(43, 'This link is incomplete').regex(/^[A-Za-z0-9]{43}$/, 'This link is incomplete');

/** What is asked with consent: a name in place of a signature, and the age. */
export const ConsentInput = z.object({
  token,
  typedName: nameText(longestName, `Use at most ${longestName} characters`, 2, 'Enter your full name'),
  isAdult: z.literal(true, 'Only people of 18 or older may be shown'),
  agrees: z.literal(true, 'Check this box to agree'),
});

export const NewCoPerformer = AlbumInput.extend({
  name: nameText(longestName, `Use at most ${longestName} characters`, 1, 'Enter their name'),
  email: Email,
});

export const consentsContract = {
  list: creatorPromise('album')
    .route({ method: 'GET', path: '/albums/{albumId}/people', tags })
    .input(AlbumInput)
    .output(AlbumPeople),
  /** Says who is shown: the creator alone, or others too, who are then asked one by one. */
  say: creatorPromise('album')
    .route({ method: 'PUT', path: '/albums/{albumId}/people', tags })
    .input(AlbumInput.extend({ peopleConsent: PeopleConsent }))
    .output(AlbumPeople),
  /** Adds somebody who is shown, and mails them the request. The album stays closed to viewers until everybody has agreed. */
  add: creatingPromise('album')
    .route({ method: 'POST', path: '/albums/{albumId}/people', tags })
    .input(NewCoPerformer)
    .output(CoPerformer),
  /** Mails a request again, with a new link; the one before leads nowhere. */
  resend: creatorPromise('coPerformer')
    .route({ method: 'POST', path: '/people/{coPerformerId}/resend', tags })
    .input(PersonInput)
    .output(CoPerformer),
  /** Takes somebody off the album who isn't shown any more. Not after a withdrawal, which is looked at first. */
  remove: creatorPromise('coPerformer')
    .route({ method: 'DELETE', path: '/people/{coPerformerId}', tags })
    .input(PersonInput)
    .output(z.object({})),
  /** Says that the pictures of whoever withdrew are out of the album; the operator looks and opens it again. */
  sayPicturesGone: creatorPromise('coPerformer')
    .route({ method: 'POST', path: '/people/{coPerformerId}/pictures-gone', tags })
    .input(PersonInput)
    .output(CoPerformer),
  /** Who asks, and for what; by the secret of the mailed link. */
  look: mailed()
    .route({ method: 'POST', path: '/consent/look', tags })
    .input(z.object({ token }))
    .output(ConsentRequest),
  give: mailed().route({ method: 'POST', path: '/consent/give', tags }).input(ConsentInput).output(ConsentRequest),
  /** "Not me" also keeps this creator from asking the address again. */
  refuse: mailed()
    .route({ method: 'POST', path: '/consent/refuse', tags })
    .input(z.object({ token, isNotMe: z.boolean() }))
    .output(ConsentRequest),
  /** Takes consent back, for good: the album closes at once. */
  withdraw: mailed()
    .route({ method: 'POST', path: '/consent/withdraw', tags })
    .input(z.object({ token }))
    .output(ConsentRequest),
};
