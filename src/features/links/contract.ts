import * as z from 'zod';
import { ConsentGap } from '#features/albums/contract.ts';
import { isMomentCursor } from '#features/albums/rules.ts';
import { boundedText, nameText, optionalName, proseText, secretText, trimmedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatingPromise, creatorPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { longestRecipient, mostNames } from './creating/bulk-rules.ts';
import { Policy } from './policy.ts';
import { LinkVersion } from './versions-contract.ts';

/** Rules as a creator sets them; whether there is a password follows from the password itself. */
export const LinkRulesInput = Policy.omit({ password: true });
export type LinkRulesInput = z.infer<typeof LinkRulesInput>;

/** When a link ends: hours from now, a moment, or never. */
export const ExpiryInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('after'), hours: z.int().min(1).max(8760) }),
  z.object({ kind: z.literal('at'), at: z.coerce.date() }),
  z.object({ kind: z.literal('never') }),
]);
export type ExpiryInput = z.infer<typeof ExpiryInput>;

export const Channel = z.enum(['whatsapp', 'instagram', 'email', 'sms', 'other']);
export type Channel = z.infer<typeof Channel>;

export const Notify = z.enum(['first', 'every', 'none']);

/** A link as its owner sees it. */
export const MagicLink = z.object({
  id: Uuid,
  linkName: z.string(),
  recipientName: z.string().nullable(),
  recipientChannel: Channel.nullable(),
  note: z.string(),
  welcomeText: z.string(),
  slug: z.string(),
  /** The address to send. */
  url: z.string(),
  albums: z.array(z.object({ id: Uuid, name: z.string() })),
  policy: Policy,
  policyVersion: z.int(),
  expiresAt: z.date().nullable(),
  createdAt: z.date(),
  isRevoked: z.boolean(),
  revokedAt: z.date().nullable(),
  /** Until when a revoked link can be brought back. */
  undoUntil: z.date().nullable(),
  isTakenDown: z.boolean(),
  isAlbumReady: z.boolean(),
  /** What the consent of those who are shown lacks; the worst of its albums. */
  consentGap: ConsentGap.nullable(),
  notify: Notify,
  viewsCount: z.int(),
  uniqueViewers: z.int(),
  watchMs: z.int(),
  earnedCents: z.int(),
  firstOpenedAt: z.date().nullable(),
  lastOpenedAt: z.date().nullable(),
  /** A screen shows it at this moment. */
  isLookingNow: z.boolean(),
  /** The screens that its revocation ended, as far as they have told, and when the last of them did. */
  dark: z.object({ screens: z.int(), at: z.date() }).nullable(),
  /** The newest visit that was a person's and not the creator's own. */
  lastVisit: z
    .object({
      startedAt: z.date(),
      endedAt: z.date().nullable(),
      endReason: z.string().nullable(),
      /** Two letters; null when nobody knows. */
      country: z.string().nullable(),
      /** The country was guessed from the time zone. */
      isCountryEstimated: z.boolean(),
      /** "iPhone", "Android"; null when nobody knows. */
      device: z.string().nullable(),
    })
    .nullable(),
});
export type MagicLink = z.infer<typeof MagicLink>;

export const LinkFilter = z.enum(['all', 'active', 'never_opened', 'expired', 'revoked']);
export type LinkFilter = z.infer<typeof LinkFilter>;

const albumIds = z.array(Uuid).min(1, 'Choose at least one album').max(100);
export const longestLinkName = 80;
const linkName = optionalName(longestLinkName, `Use at most ${longestLinkName} characters`);
const recipientName = optionalName(longestRecipient, `Use at most ${longestRecipient} characters`).nullable();
const note = proseText(200, 'Use at most 200 characters');
const welcomeText = proseText(300, 'Use at most 300 characters');
const password = secretText(200, 'Use at most 200 characters').trim().min(6, 'Use at least 6 characters');
const LinkIds = z.object({ linkIds: z.array(Uuid).min(1).max(100) });
const LinkInput = z.object({ linkId: Uuid });
const tags = ['links'];

/** What a new link is made of. */
const NewLinkInput = z.object({
  albumIds,
  linkName: linkName.default(''),
  recipientName: recipientName.default(null),
  recipientChannel: Channel.nullable().default(null),
  note: note.default(''),
  welcomeText: welcomeText.default(''),
  /** Left out: what its albums say of new links, else a free one. */
  rules: LinkRulesInput.optional(),
  /** Left out: the usual number of days. */
  expiry: ExpiryInput.optional(),
  password: password.optional(),
  notify: Notify.default('first'),
  /** "Anyone with this link gets in. Make it anyway?" was answered with yes. */
  isLaxConfirmed: z.boolean().default(false),
});

/** What links for a list of people are made of. */
const LinksInput = NewLinkInput.omit({ linkName: true, recipientName: true, note: true }).extend({
  names: z
    .array(nameText(longestRecipient, `Use at most ${longestRecipient} characters`, 1, 'Give every link a name'))
    .min(1, 'Enter at least one name')
    .max(mostNames, `Enter at most ${mostNames} names`),
});
export type LinksInput = z.infer<typeof LinksInput>;

export const linksContract = {
  list: creatorPromise('none')
    .route({ method: 'GET', path: '/links', tags })
    .input(
      z.object({
        filter: LinkFilter.default('all'),
        search: trimmedText(80).default(''),
        albumId: Uuid.optional(),
        /** Where the page before ended. */
        cursor: boundedText(200).refine(isMomentCursor, 'Unknown position in the list').optional(),
        limit: z.coerce.number().int().min(1).max(100).default(50),
      }),
    )
    .output(
      z.object({
        links: z.array(MagicLink),
        counts: z.record(LinkFilter, z.int()),
        nextCursor: z.string().nullable(),
      }),
    ),
  one: creatorPromise('link')
    .route({ method: 'GET', path: '/links/{linkId}', tags })
    .input(LinkInput)
    .output(MagicLink),
  /** The versions of its rules, newest first. */
  history: creatorPromise('link')
    .route({ method: 'GET', path: '/links/{linkId}/history', tags })
    .input(
      LinkInput.extend({
        /** Where the page before ended: its oldest version. */
        beforeVersion: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
        limit: z.coerce.number().int().min(1).max(100).default(20),
      }),
    )
    .output(z.object({ versions: z.array(LinkVersion), hasMore: z.boolean() })),
  create: creatingPromise('album')
    .route({ method: 'POST', path: '/links', tags })
    .errors(refusing('ALBUM_EMPTY', 'CONSENT_MISSING', 'PAYOUTS_NOT_READY'))
    .input(NewLinkInput)
    .output(MagicLink),
  /** One link for each name, all of them or none, under the same rules. */
  createMany: creatingPromise('album')
    .route({ method: 'POST', path: '/links/many', tags })
    .errors(refusing('ALBUM_EMPTY', 'CONSENT_MISSING', 'PAYOUTS_NOT_READY'))
    .input(LinksInput)
    .output(z.object({ links: z.array(z.object({ id: Uuid, name: z.string(), url: z.string() })) })),
  update: creatorPromise('link')
    .route({ method: 'PATCH', path: '/links/{linkId}', tags })
    .errors(refusing('GONE', 'PAYOUTS_NOT_READY'))
    .input(
      LinkInput.extend({
        linkName: linkName.optional(),
        recipientName: recipientName.optional(),
        recipientChannel: Channel.nullable().optional(),
        note: note.optional(),
        welcomeText: welcomeText.optional(),
        notify: Notify.optional(),
        /** All rules again; what is left out goes back to its default. */
        rules: LinkRulesInput.optional(),
        expiry: ExpiryInput.optional(),
        /** null takes the password away. */
        password: password.nullable().optional(),
        /** The version these changes were made on; another one is refused as a conflict. */
        policyVersion: z.int().optional(),
      }),
    )
    .output(MagicLink),
  /** What new links to an album cost to begin with; null for nothing. Links that there are keep their rules. */
  setAlbumPrice: creatorPromise('album')
    .route({ method: 'PUT', path: '/albums/{albumId}/price', tags: ['albums'] })
    .errors(refusing('PAYOUTS_NOT_READY'))
    .input(z.object({ albumId: Uuid, priceCents: z.int().min(500).max(50_000).nullable() }))
    .output(z.object({})),
  /** Its creator has copied or shared the address. */
  markShared: creatorPromise('link')
    .route({ method: 'POST', path: '/links/{linkId}/shared', tags })
    .input(LinkInput)
    .output(z.object({})),
  /** No new keys from this moment; open screens close. It can be undone for as long as the setting `links.undoHours` says. */
  revoke: creatorPromise('link')
    .route({ method: 'POST', path: '/links/revoke', tags })
    .input(
      LinkIds.extend({
        /** Given where nothing goes back to those who broke the rules; a trace of a leak has to tell of them. */
        brokeRules: z.object({ reason: proseText(500).min(1, 'Say what happened') }).optional(),
      }),
    )
    .output(z.object({ links: z.array(MagicLink) })),
  /** What revoking gives back: to how many people, and of how many of them a trace of a leak tells. */
  revokeCost: creatorPromise('link')
    .route({ method: 'POST', path: '/links/revoke-cost', tags })
    .input(LinkIds)
    .output(
      z.object({
        people: z.int(),
        cents: z.int(),
        currency: z.string(),
        isRecent: z.boolean(),
        breakers: z.int(),
      }),
    ),
  undoRevoke: creatorPromise('link')
    .route({ method: 'POST', path: '/links/undo-revoke', tags })
    .errors(refusing('GONE'))
    .input(LinkIds)
    .output(z.object({ links: z.array(MagicLink) })),
  /** Every link of one album, or every link there is. */
  revokeAll: creatorPromise('album')
    .route({ method: 'POST', path: '/links/revoke-all', tags })
    .input(z.object({ albumId: Uuid.optional() }))
    .output(z.object({ revoked: z.int() })),
  /** The panic button: every link is revoked and every session but this one ends. Each link can be brought back. */
  lockEverything: creatorPromise('none')
    .route({ method: 'POST', path: '/links/lock-everything', tags })
    .input(z.object({}))
    .output(z.object({ revoked: z.int() })),
  extend: creatorPromise('link')
    .route({ method: 'POST', path: '/links/extend', tags })
    .errors(refusing('GONE'))
    .input(LinkIds.extend({ expiry: ExpiryInput }))
    .output(z.object({ links: z.array(MagicLink) })),
};
