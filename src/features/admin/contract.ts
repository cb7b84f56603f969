import * as z from 'zod';
import { mostGranted } from '#features/credits/contract.ts';
import { holdCodes } from '#features/payouts/rules.ts';
import { Recomputed } from '#features/plans/contract.ts';
import { ReportCase } from '#features/reports/desk-contract.ts';
import { proseText, trimmedText } from '#kit/bounded-text.ts';
import { Email } from '#kit/email-address.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise, adminScopes } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { FailedPayout } from './payments-contract.ts';

const tags = ['admin'];
const Nothing = z.object({});

/** An account as a search finds it. */
export const FoundAccount = z.object({
  id: Uuid,
  email: z.string(),
  displayName: z.string(),
  handle: z.string().nullable(),
  status: z.string(),
  isConfirmed: z.boolean(),
  createdAt: z.date(),
});
export type FoundAccount = z.infer<typeof FoundAccount>;

/** So many notes are shown of one account. */
export const mostNotes = 50;
export const NoteText = proseText(2000, 'Use at most 2000 characters').min(1, 'Write the note');

/** What an administrator has noted about an account, for other administrators. */
export const AccountNote = z.object({
  id: Uuid,
  text: z.string(),
  /** Empty once their account is gone. */
  author: z.string(),
  at: z.date(),
});
export type AccountNote = z.infer<typeof AccountNote>;

/** So many reports are shown of each kind. */
export const mostReports = 20;

/** A report on the card of whom it is about or who sent it; its text stands on its own page. */
export const AccountReport = ReportCase.pick({ number: true, kind: true, state: true }).extend({ at: z.date() });
export type AccountReport = z.infer<typeof AccountReport>;

/** What of a creator's money is where. */
export const AccountMoney = z.object({
  availableCents: z.int(),
  /** Earned, and not settled yet. */
  pendingCents: z.int(),
  /** Owed for disputes, and taken from what is available. */
  dueCents: z.int(),
  paidOutCents: z.int(),
  currency: z.string(),
  /** Why nothing is paid out just now. */
  holds: z.array(z.enum(holdCodes)),
  payouts: z.array(
    FailedPayout.pick({ id: true, amountCents: true, currency: true, state: true }).extend({ at: z.date() }),
  ),
});
export type AccountMoney = z.infer<typeof AccountMoney>;

/** What an administrator sees of an account; none of its media and none of its viewers. */
export const AccountCard = FoundAccount.extend({
  setupStep: z.string(),
  country: z.string().nullable(),
  lastLoginAt: z.date().nullable(),
  eraseAt: z.date().nullable(),
  plan: z.object({
    status: z.string().nullable(),
    trialEndsAt: z.date().nullable(),
    isFree: z.boolean(),
    freeUntil: z.date().nullable(),
    isPaused: z.boolean(),
  }),
  twoFactor: z.string(),
  /** Empty for everybody who is no administrator. */
  adminScopes: z.array(z.enum(adminScopes)),
  storage: z.object({ usedBytes: z.int(), limitBytes: z.int() }),
  counts: z.object({
    albums: z.int(),
    media: z.int(),
    failedMedia: z.int(),
    links: z.int(),
    openReports: z.int(),
    supportRequests: z.int(),
  }),
  /** What was paid to the creator, less what went back; null for who does not see to money. */
  salesCents: z.int().nullable(),
  entitlements: z.object({ suite: z.boolean(), beta: z.boolean() }),
  credits: z.int(),
  sessions: z.array(
    z.object({
      id: Uuid,
      device: z.string(),
      country: z.string().nullable(),
      lastUsedAt: z.date(),
      createdAt: z.date(),
    }),
  ),
  /** What they have asked to have mailed and may be waiting for; null when a new code would help nobody. */
  waitingFor: z.object({ purpose: z.enum(['confirm', 'password']), at: z.date() }).nullable(),
  /** The newest first; none on an administrator's own card. */
  notes: z.array(AccountNote),
  /** Against what they share, and from their address; the newest first. */
  reports: z.object({ against: z.array(AccountReport), by: z.array(AccountReport) }),
  /** Null for who does not see to money. */
  money: AccountMoney.nullable(),
});
export type AccountCard = z.infer<typeof AccountCard>;

const AboutUser = z.object({ userId: Uuid });
const Reason = proseText(500, 'Use at most 500 characters').min(1, 'Say why: the owner of the account reads it');

/** What whoever runs the place gives, besides credits. */
export const grants = ['free', 'suite', 'beta'] as const;
export const GrantDays = z.int().min(1, 'Enter a number from 1').max(3650, 'Enter at most 3650');
export const GrantedCredits = z.int().min(1, 'Enter a number from 1').max(mostGranted, `Enter at most ${mostGranted}`);
export const GrantNote = proseText(500, 'Use at most 500 characters');
const ChangeReason = proseText(500, 'Use at most 500 characters').min(1, 'Say how you know that it is the owner');

/** People and what can be done for them or against them. */
export const adminUsersContract = {
  /** Finds accounts by address, name, handle, id, order, receipt, report or support number; addresses without an account, too. */
  find: adminPromise('support')
    .route({ method: 'POST', path: '/admin/users/find', tags })
    .input(z.object({ query: trimmedText(254, 'Use at most 254 characters').min(2, 'Use at least 2 characters') }))
    .output(z.object({ accounts: z.array(FoundAccount), addresses: z.array(z.string()) })),
  show: adminPromise('support', 'moderation')
    .route({ method: 'GET', path: '/admin/users/{userId}', tags })
    .input(AboutUser)
    .output(AccountCard),
  /** Notes something for other administrators; its owner has it with a copy of their data, and on no page. */
  addNote: adminPromise('support', 'moderation')
    .route({ method: 'POST', path: '/admin/users/{userId}/notes', tags })
    .input(AboutUser.extend({ noteId: Uuid, text: NoteText }))
    .output(Nothing),
  /** Asks the payment provider how their plan stands, and writes down what it says. */
  recomputePlan: adminPromise('support', 'finance')
    .errors(refusing('PROVIDER_DOWN'))
    .route({ method: 'POST', path: '/admin/users/{userId}/recompute-plan', tags })
    .input(AboutUser)
    .output(Recomputed),
  /** Mails a new link and code for what was asked for last, good in the browser that asked. */
  mailCode: adminPromise('support')
    .route({ method: 'POST', path: '/admin/users/{userId}/mail-code', tags })
    .input(AboutUser)
    .output(Nothing),
  /** Ends every session of an account. */
  signOut: adminPromise('support')
    .route({ method: 'POST', path: '/admin/users/{userId}/sign-out', tags })
    .input(AboutUser)
    .output(Nothing),
  /** Mails a link to another address, for somebody who has lost their mailbox; nothing changes before it is used. */
  changeEmail: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/users/{userId}/change-email', tags })
    .input(AboutUser.extend({ email: Email, reason: ChangeReason }))
    .output(Nothing),
  /** Gives free access, the suite or what is new, or takes it back. */
  grantAccess: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/users/{userId}/grant-access', tags })
    .input(
      AboutUser.extend({
        what: z.enum(grants),
        /** Of free access; for good where it is null. */
        days: GrantDays.nullable(),
        isEnd: z.boolean(),
      }),
    )
    .output(Nothing),
  grantCredits: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/users/{userId}/grant-credits', tags })
    .input(AboutUser.extend({ credits: GrantedCredits, note: GrantNote, giftId: Uuid }))
    .output(Nothing),
  suspend: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/users/{userId}/suspend', tags })
    .input(AboutUser.extend({ reason: Reason }))
    .output(Nothing),
  unsuspend: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/users/{userId}/unsuspend', tags })
    .input(AboutUser)
    .output(Nothing),
  /** For somebody who has lost their phone and every backup code. */
  removeSecondFactor: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/users/{userId}/remove-second-factor', tags })
    .input(AboutUser)
    .output(Nothing),
};
