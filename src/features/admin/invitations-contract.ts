import * as z from 'zod';
import { invitationDays } from '#features/accounts/rules.ts';
import { nameText, proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise } from '#wire/promise.ts';

const tags = ['admin'];

/** A link by which people join with a free account. */
export const ListedInvitation = z.object({
  id: Uuid,
  label: z.string(),
  note: z.string(),
  /** How long the account is free; null for good. */
  days: z.int().nullable(),
  places: z.int(),
  taken: z.int(),
  state: z.enum(['open', 'revoked', 'used_up', 'ended']),
  createdAt: z.date(),
  expiresAt: z.date(),
  revokedAt: z.date().nullable(),
});
export type ListedInvitation = z.infer<typeof ListedInvitation>;

const mostPlaces = 'Choose 1 to 100 places';
const mostOpenDays = 'Choose 1 to 30 days';

export const NewInvitation = z.object({
  label: nameText(80, 'Use at most 80 characters', 1, 'Say who it is for'),
  note: proseText(500, 'Use at most 500 characters'),
  days: z
    .int()
    .refine((days) => invitationDays.includes(days), 'Choose how long the account is free')
    .nullable(),
  places: z.int(mostPlaces).min(1, mostPlaces).max(100, mostPlaces),
  openDays: z.int(mostOpenDays).min(1, mostOpenDays).max(30, mostOpenDays),
});

/** Links by which people join with a free account. */
export const adminInvitationsContract = {
  list: adminPromise('owner')
    .route({ method: 'GET', path: '/admin/invitations', tags })
    .input(z.object({}).optional())
    .output(z.object({ invitations: z.array(ListedInvitation) })),
  /** Makes one; its address is told this once. */
  make: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/invitations', tags })
    .input(NewInvitation)
    .output(z.object({ id: Uuid, address: z.string(), expiresAt: z.date() })),
  /** Ends one; those who have joined keep what it gave them. */
  revoke: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/invitations/{invitationId}/revoke', tags })
    .input(z.object({ invitationId: Uuid }))
    .output(z.object({})),
};
