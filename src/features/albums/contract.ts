import * as z from 'zod';
import { Medium } from '#features/media/contract.ts';
import { settingRules } from '#features/settings/rules.ts';
import { boundedText, nameText, proseText, trimmedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatingPromise, creatorPromise, setUpPromise, signedInPromise } from '#wire/promise.ts';
import { isMomentCursor, isNameCursor, mostListed } from './rules.ts';

export const AlbumState = z.enum(['draft', 'ready', 'archived', 'locked', 'deleting']);
export type AlbumState = z.infer<typeof AlbumState>;

/** Why an album may not be seen by others: nobody has said who is shown, somebody has not agreed, or has taken it back. */
export const ConsentGap = z.enum(['unsaid', 'missing', 'withdrawn']);
export type ConsentGap = z.infer<typeof ConsentGap>;

/** A picture that stands for an album: drawn from its own encrypted rendition. */
export const Cover = z.object({
  mediaId: Uuid,
  kind: z.enum(['photo', 'video']),
  thumbhash: z.string(),
  width: z.int(),
  height: z.int(),
});

export const Album = z.object({
  id: Uuid,
  name: z.string(),
  description: z.string(),
  state: AlbumState,
  cover: Cover.nullable(),
  photoCount: z.int(),
  videoCount: z.int(),
  /** Items that are not ready yet. */
  pendingCount: z.int(),
  /** New links begin by asking the creator first. */
  isProtected: z.boolean(),
  /** What new links cost to begin with; null where the album is not sold. */
  priceCents: z.int().nullable(),
  /** A link may ask for a tip. */
  allowsTips: z.boolean(),
  watermarkVisible: z.enum(['off', 'corner', 'tiled']),
  watermarkText: z.string().nullable(),
  contentRating: z.enum(['general', 'suggestive', 'explicit']),
  /** How many blurred pictures somebody sees before paying; 0 for none. */
  teaserCount: z.int(),
  /** Who is shown; null until its creator has said it, which a new link waits for. */
  peopleConsent: z.enum(['only_me', 'others_with_consent']).nullable(),
  /** Null where everybody shown has agreed. */
  consentGap: ConsentGap.nullable(),
  /** People whom one of its links has let in may ask for custom work there. */
  takesRequests: z.boolean(),
  sort: z.enum(['manual', 'newest', 'oldest']),
  /** Links that show it, whatever became of them, and what they have earned. */
  linkCount: z.int(),
  earnedCents: z.int(),
  createdAt: z.date(),
  /** Until when a deleted album can be brought back. */
  deleteAt: z.date().nullable(),
});
export type Album = z.infer<typeof Album>;

export const AlbumItem = Medium.extend({
  caption: z.string(),
  isHidden: z.boolean(),
  isSensitive: z.boolean(),
  /** May be among the blurred pictures that somebody sees before paying. */
  isInTeaser: z.boolean(),
  addedAt: z.date(),
});
export type AlbumItem = z.infer<typeof AlbumItem>;

/** A deleted photo, and until when it can be brought back. */
export const DeletedItem = Medium.extend({ caption: z.string(), undoUntil: z.date() });
export type DeletedItem = z.infer<typeof DeletedItem>;

/** Who bought an album, and what goes back to them when it is deleted. */
export const Sold = z.object({ buyers: z.int(), refundCents: z.int() });
export type Sold = z.infer<typeof Sold>;

const AlbumInput = z.object({ albumId: Uuid });
const MediaOfAlbum = AlbumInput.extend({
  mediaIds: z.array(Uuid).min(1).max(settingRules['limits.itemsPerAlbum'].max),
});
const Name = nameText(80, 'Use at most 80 characters', 1, 'Give the album a name');

export const AlbumFilter = z.enum(['all', 'draft', 'ready', 'archived', 'deleting']);

export const albumsContract = {
  /** Also without a plan: what was paid for is delivered as one of them. */
  list: setUpPromise('none')
    .route({ method: 'GET', path: '/albums', tags: ['albums'] })
    .input(
      z
        .object({
          filter: AlbumFilter.default('all'),
          search: trimmedText(80).default(''),
          sort: z.enum(['newest', 'oldest', 'name']).default('newest'),
          /** Where the page before ended. */
          cursor: boundedText(200).optional(),
          limit: z.coerce.number().int().min(1).max(100).default(50),
        })
        .refine(
          ({ sort, cursor }) => cursor === undefined || (sort === 'name' ? isNameCursor : isMomentCursor)(cursor),
          {
            path: ['cursor'],
            message: 'Unknown position in the list',
          },
        ),
    )
    .output(z.object({ albums: z.array(Album), nextCursor: z.string().nullable() })),
  create: creatingPromise('none')
    .route({ method: 'POST', path: '/albums', tags: ['albums'] })
    .input(z.object({ name: Name, peopleConsent: z.enum(['only_me', 'others_with_consent']).optional() }))
    .output(Album),
  one: creatorPromise('album')
    .route({ method: 'GET', path: '/albums/{albumId}', tags: ['albums'] })
    .input(AlbumInput)
    .output(z.object({ album: Album, items: z.array(AlbumItem), sold: Sold })),
  update: creatorPromise('album')
    .route({ method: 'PATCH', path: '/albums/{albumId}', tags: ['albums'] })
    .input(
      AlbumInput.extend({
        name: Name.optional(),
        description: proseText(1000, 'Use at most 1000 characters').optional(),
        isProtected: z.boolean().optional(),
        allowsTips: z.boolean().optional(),
        watermarkVisible: z.enum(['off', 'corner', 'tiled']).optional(),
        watermarkText: trimmedText(60).nullable().optional(),
        contentRating: z.enum(['general', 'suggestive']).optional(),
        teaserCount: z.int().min(0).max(12).optional(),
        takesRequests: z.boolean().optional(),
        sort: z.enum(['manual', 'newest', 'oldest']).optional(),
      }),
    )
    .output(Album),
  /** The whole order at once: ids of the album's items, first to last. */
  reorder: creatorPromise('album')
    .route({ method: 'PUT', path: '/albums/{albumId}/order', tags: ['albums'] })
    .input(AlbumInput.extend({ mediaIds: z.array(Uuid).min(1).max(mostListed) }))
    .output(z.object({})),
  setCover: creatorPromise('album')
    .route({ method: 'PUT', path: '/albums/{albumId}/cover', tags: ['albums'] })
    .input(AlbumInput.extend({ mediaId: Uuid }))
    .output(Album),
  editItem: creatorPromise('item')
    .route({ method: 'PATCH', path: '/albums/{albumId}/items/{mediaId}', tags: ['albums'] })
    .input(
      AlbumInput.extend({
        mediaId: Uuid,
        caption: trimmedText(140, 'Use at most 140 characters').optional(),
        isHidden: z.boolean().optional(),
        isSensitive: z.boolean().optional(),
        isInTeaser: z.boolean().optional(),
      }),
    )
    .output(AlbumItem),
  /** Puts media of this account into the album; those that are in already stay where they are. */
  addItems: creatorPromise('album')
    .route({ method: 'POST', path: '/albums/{albumId}/items', tags: ['albums'] })
    .input(MediaOfAlbum)
    .output(z.object({})),
  /** Carries items over to the end of another album, with their captions. */
  moveItems: creatorPromise('album')
    .route({ method: 'POST', path: '/albums/{albumId}/items/move', tags: ['albums'] })
    .input(MediaOfAlbum.extend({ toAlbumId: Uuid }))
    .output(z.object({})),
  /** Takes items out of the album; those that no other album holds are deleted, with 72 hours to think better of it. */
  removeItems: creatorPromise('album')
    .route({ method: 'POST', path: '/albums/{albumId}/items/remove', tags: ['albums'] })
    .input(MediaOfAlbum)
    .output(z.object({ taken: z.array(Uuid), deleted: z.array(Uuid) })),
  /** Deletes items of the album, in every album that holds them; 72 hours to think better of it. */
  deleteItems: creatorPromise('album')
    .route({ method: 'POST', path: '/albums/{albumId}/items/delete', tags: ['albums'] })
    .input(MediaOfAlbum)
    .output(z.object({ undoUntil: z.date() })),
  /** Deleted photos of the album that can be brought back. */
  deletedItems: creatorPromise('album')
    .route({ method: 'GET', path: '/albums/{albumId}/deleted', tags: ['albums'] })
    .input(AlbumInput)
    .output(z.array(DeletedItem)),
  /** Brings those deleted photos back that can come, to their places, in every album that held them. */
  restoreItems: creatorPromise('album')
    .route({ method: 'POST', path: '/albums/{albumId}/items/restore', tags: ['albums'] })
    .input(MediaOfAlbum)
    .output(
      z.object({
        restored: z.array(Uuid),
        /** The others, each with the sentence that says why not. */
        refused: z.array(z.object({ mediaId: Uuid, message: z.string() })),
      }),
    ),
  archive: creatorPromise('album')
    .route({ method: 'POST', path: '/albums/{albumId}/archive', tags: ['albums'] })
    .input(AlbumInput)
    .output(Album),
  unarchive: creatorPromise('album')
    .route({ method: 'POST', path: '/albums/{albumId}/unarchive', tags: ['albums'] })
    .input(AlbumInput)
    .output(Album),
  /** Closes the album at once and destroys it after 72 hours. */
  remove: creatorPromise('album')
    .route({ method: 'DELETE', path: '/albums/{albumId}', tags: ['albums'] })
    .input(AlbumInput)
    .output(Album),
  restore: creatorPromise('album')
    .route({ method: 'POST', path: '/albums/{albumId}/restore', tags: ['albums'] })
    .input(AlbumInput)
    .output(Album),
  /** Uploads of an album that have begun and not ended: what a page shows after a reload. */
  openUploads: signedInPromise('album')
    .route({ method: 'GET', path: '/albums/{albumId}/uploads', tags: ['albums'] })
    .input(AlbumInput)
    .output(
      z.array(
        z.object({
          uploadId: Uuid,
          originalName: z.string(),
          sizeBytes: z.int(),
          receivedBytes: z.int(),
          expiresAt: z.date(),
          /** Hex, when the sender said it: which file it is that goes on. */
          sha256: z.string().nullable(),
          /** The same for a file too large to be hashed whole by its sender: hex, of its size and pieces of it. */
          sample: z.string().nullable(),
        }),
      ),
    ),
};
