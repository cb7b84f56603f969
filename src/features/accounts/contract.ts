import * as z from 'zod';
import { boundedText, nameText, proseText, secretText, trimmedText } from '#kit/bounded-text.ts';
import { Email } from '#kit/email-address.ts';
import { dayMs, isTimeZone } from '#kit/time.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminScopes, promise, signedInPromise, type Who } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { findHandleFault, passwordLength, setupSteps, trialCode } from './rules.ts';
import { CurrentPassword, SessionGiven } from './second-factor/second-factor-contract.ts';

export { Email } from '#kit/email-address.ts';
export { emailChangeContract } from './email-change/email-change-contract.ts';
export { passkeysContract } from './passkeys/passkeys-contract.ts';
export { SecondFactorCode, secondFactorContract } from './second-factor/second-factor-contract.ts';

const everybody: readonly Who[] = ['visitor', 'viewer', 'creator', 'admin'];
const tags = ['accounts'];

export const Password = secretText(passwordLength.max, `Use at most ${passwordLength.max} characters`).min(
  passwordLength.min,
  `Use at least ${passwordLength.min} characters`,
);

export const Handle = trimmedText(60, 'Use at most 30 characters')
  .toLowerCase()
  .superRefine((handle, { addIssue }) => {
    const fault = findHandleFault(handle);
    if (fault !== undefined) addIssue({ code: 'custom', message: fault });
  });

const DisplayName = nameText(40, 'Use at most 40 characters', 1, 'Enter a name');
const Country = boundedText(2, 'Choose your country').regex(/^[A-Z]{2}$/, 'Choose your country');
const TimeZone = boundedText(60, 'Choose your time zone').refine(isTimeZone, 'Choose your time zone');

export const SetupProfile = z.object({
  displayName: DisplayName,
  handle: Handle,
  country: Country,
  timeZone: TimeZone,
});
export const SetupConsent = z.object({
  birthDate: z.iso.date('Enter your date of birth').refine((date) => date >= '1900', 'Enter your date of birth'),
  /** Asked once more before a date under 18 closes the account: a mistyped year does not. */
  isBirthDateSure: z.boolean().default(false),
  acceptsTerms: z.literal(true, 'Please agree to the terms of use'),
  acceptsContentPolicy: z.literal(true, 'Please agree to the content policy'),
  wantsNews: z.boolean().default(false),
});
export const Profile = SetupProfile.extend({ bio: proseText(300, 'Use at most 300 characters') });
export const SignUp = z.object({
  email: Email,
  isAdult: z.literal(true, 'Please confirm that you are 18 or older'),
  trialCode: z.literal(trialCode, "This trial code isn't valid").default(trialCode),
  /** The secret of a link that somebody was invited by. */
  invitation: boundedText(100).optional(),
});

/** What an email holds: its link's secret, or the six digits to type where it was asked for. */
const Proof = z.union([
  z.object({
    token: boundedText(43, 'This link is incomplete').regex(/^[A-Za-z0-9]{43}$/, 'This link is incomplete'),
  }),
  z.object({ code: boundedText(6, 'Enter the 6 digits').regex(/^\d{6}$/, 'Enter the 6 digits') }),
]);

export const Pin = boundedText(8, 'Use 4 to 8 digits').regex(/^\d{4,8}$/, 'Use 4 to 8 digits');

/** Or it is given for a code: what to send with it to `secondFactor.signIn`. */
const MaybeSession = SessionGiven.extend({ challenge: z.string().optional(), isPasskeyOnly: z.boolean().optional() });

export const Me = z.object({
  /** Null for a visitor; everything else is then at its least. */
  user: z
    .object({
      id: Uuid,
      email: z.string(),
      displayName: z.string(),
      handle: z.string().nullable(),
      bio: z.string(),
      avatarUrl: z.string().nullable(),
      hasPublicPage: z.boolean(),
      country: z.string().nullable(),
      timeZone: z.string(),
      locale: z.string(),
      hasPassword: z.boolean(),
      homeScreenWizardCompleted: z.boolean(),
      /** The way to the home screen is to be shown by itself, where this device has one. */
      isHomeScreenDue: z.boolean(),
      hasAppLock: z.boolean(),
      hasSecondFactor: z.boolean(),
      /** What was entered in the third step of the setup, as long as one can go back to it; null before and after. */
      consent: z.object({ birthDate: z.string(), wantsNews: z.boolean() }).nullable(),
    })
    .nullable(),
  /** Admin, free user or subscribed. */
  hasAccess: z.boolean(),
  isAdmin: z.boolean(),
  /** What an administrator may do; empty for everybody else. */
  adminScopes: z.array(z.enum(adminScopes)),
  /** An administrator who has none of an administrator's rights until they set up a second factor. */
  needsSecondFactor: z.boolean(),
  isFreeUser: z.boolean(),
  isSubscribed: z.boolean(),
  /** Suspended or leaving: sign-in works, nothing else does. */
  isStopped: z.boolean(),
  /** The app lock has closed this session: whoever is here is a visitor until the PIN is given. */
  isLocked: z.boolean(),
  /** Null when there never was a plan. */
  subscriptionStatus: z.string().nullable(),
  trialEndsAt: z.date().nullable(),
  /** They have no access since their plan is paused. */
  planIsPaused: z.boolean(),
  /** When a plan that is paused resumes automatically; null where it waits for them. */
  planPausedUntil: z.date().nullable(),
  freeUntil: z.date().nullable(),
  entitlements: z.object({ suiteUser: z.boolean(), isBeta: z.boolean() }),
  setupStep: z.enum(setupSteps),
  storage: z.object({ usedBytes: z.int(), limitBytes: z.int() }),
  plan: z.object({
    trialDays: z.int(),
    priceCents: z.int(),
    commissionPercent: z.int(),
    /** It can be taken here: somebody takes the payments. */
    isSold: z.boolean(),
  }),
  /** What the pages do and say by the settings in force. */
  limits: z.object({
    filesPerBatch: z.int(),
    parallelUploads: z.int(),
    chunkBytes: z.int(),
    leaseSeconds: z.int(),
    linkDefaultDays: z.int(),
    linkUndoHours: z.int(),
    storageBytes: z.int(),
    trialStorageBytes: z.int(),
    photoBytes: z.int(),
    clipBytes: z.int(),
    clipMinutes: z.int(),
  }),
  /** What stands above every page: the operator's sentence, empty for none, and whether maintenance keeps others out. */
  site: z.object({ banner: z.string(), isMaintenance: z.boolean() }),
  /** What may be shown here. */
  contentPolicy: z.enum(['no_explicit', 'adult']),
  mode: z.enum(['sandbox', 'live']),
  now: z.date(),
});
export type Me = z.infer<typeof Me>;

export const Session = z.object({
  id: Uuid,
  /** "Chrome on Android". */
  device: z.string(),
  /** Two letters; null when nobody knows. */
  country: z.string().nullable(),
  createdAt: z.date(),
  lastUsedAt: z.date(),
  isCurrent: z.boolean(),
});
export type Session = z.infer<typeof Session>;

const Nothing = z.object({});
const forEverybody = { who: everybody, subject: 'none' } as const;
const wrongProof = refusing('GONE', 'CONFLICT');
const setup = (path: `/${string}`) =>
  signedInPromise('none')
    .errors(refusing('CONFLICT', 'EMAIL_UNCONFIRMED', 'FORBIDDEN'))
    .route({ method: 'POST', path, tags });

export const accountsContract = {
  me: promise(forEverybody).route({ method: 'GET', path: '/me', tags }).input(Nothing.optional()).output(Me),
  /** Notes an address while its owner signs up; its failure never stops a sign-up. */
  captureLead: promise({ ...forEverybody, neutral: true })
    .route({ method: 'POST', path: '/capture-email-lead', tags })
    .input(
      z.object({
        email: Email,
        source: z.literal('signup_form'),
        page_path: boundedText(200).optional(),
        utm_source: boundedText(100).optional(),
        utm_medium: boundedText(100).optional(),
        utm_campaign: boundedText(100).optional(),
        referrer: boundedText(500).optional(),
      }),
    )
    .output(Nothing),
  /** What an invitation gives; looking at it takes no place. The secret travels in the body, which nothing writes down. */
  invitation: promise(forEverybody)
    .route({ method: 'POST', path: '/invitation', tags })
    .errors(refusing('GONE'))
    .input(z.object({ token: boundedText(100) }))
    .output(z.object({ days: z.int().nullable() })),
  /** Answers alike whether or not the address is known: the email tells. */
  signUp: promise({ ...forEverybody, neutral: true })
    .route({ method: 'POST', path: '/sign-up', tags })
    .errors(refusing('GONE'))
    .input(SignUp)
    .output(z.object({ resendAfterMs: z.int() })),
  confirm: promise(forEverybody)
    .route({ method: 'POST', path: '/confirm', tags })
    .errors(wrongProof)
    .input(Proof)
    // The address is confirmed all the same when the last place of an invitation went to somebody else meanwhile.
    .output(SessionGiven.extend({ hasInvitationEnded: z.boolean().optional() })),
  signIn: promise(forEverybody)
    .route({ method: 'POST', path: '/sign-in', tags })
    .errors(refusing('UNAUTHENTICATED', 'UNAVAILABLE'))
    .input(z.object({ email: Email, password: CurrentPassword }))
    .output(MaybeSession),
  signOut: promise({ ...forEverybody, neutral: true })
    .route({ method: 'POST', path: '/sign-out', tags })
    .input(Nothing.optional())
    .output(Nothing),
  askForPassword: promise({ ...forEverybody, neutral: true })
    .route({ method: 'POST', path: '/ask-for-password', tags })
    .input(z.object({ email: Email }))
    .output(z.object({ resendAfterMs: z.int() })),
  /** Never by the email address alone; ends every other session. */
  setPassword: promise(forEverybody)
    .route({ method: 'POST', path: '/set-password', tags })
    .errors(wrongProof)
    .input(z.object({ proof: Proof, password: Password }))
    .output(MaybeSession),

  checkHandle: signedInPromise('none')
    .route({ method: 'GET', path: '/handles/{handle}', tags })
    .input(z.object({ handle: boundedText(60) }))
    .output(z.object({ isFree: z.boolean(), fault: z.string().optional() })),
  setUpPassword: setup('/account/setup/password')
    .input(z.object({ password: Password }))
    .output(Nothing),
  setUpProfile: setup('/account/setup/profile').input(SetupProfile).output(Nothing),
  /** Under 18 the account is closed, and the refusal says so; an unsure date is refused first, and nothing happens. */
  setUpConsent: setup('/account/setup/consent').input(SetupConsent).output(Nothing),
  finishSetup: setup('/account/setup/finish').input(Nothing.optional()).output(Nothing),

  updateProfile: signedInPromise('none')
    .route({ method: 'PATCH', path: '/profile', tags })
    .errors(refusing('SETUP_REQUIRED'))
    .input(Profile)
    .output(Nothing),
  /** Whether anybody may see name, bio and picture at /@handle. */
  setPublicPage: signedInPromise('none')
    .route({ method: 'PUT', path: '/profile/public-page', tags })
    .errors(refusing('SETUP_REQUIRED'))
    .input(z.object({ isOn: z.boolean() }))
    .output(Nothing),
  changePassword: signedInPromise('none')
    .route({ method: 'POST', path: '/change-password', tags })
    .input(z.object({ currentPassword: CurrentPassword, newPassword: Password }))
    .output(Nothing),
  /** Locks the app by a PIN on every device where it is open. */
  setAppLock: signedInPromise('none')
    .route({ method: 'PUT', path: '/app-lock', tags })
    .input(z.object({ pin: Pin, password: CurrentPassword }))
    .output(Nothing),
  removeAppLock: signedInPromise('none')
    .route({ method: 'POST', path: '/app-lock/remove', tags })
    .input(z.object({ password: CurrentPassword }))
    .output(Nothing),
  /** Nothing of the app is in sight any more, or has been for a while; a minute later its session is locked, where there is a PIN. */
  leaveApp: signedInPromise('none')
    .route({ method: 'POST', path: '/app-lock/leave', tags })
    .input(z.object({ lockNow: z.boolean().default(false), goneMs: z.int().min(0).max(dayMs).default(0) }))
    .output(Nothing),
  /** It is in sight again, before that minute was over; or, out of sight, it is choosing or sending files. */
  stayInApp: signedInPromise('none')
    .route({ method: 'POST', path: '/app-lock/stay', tags })
    .input(z.object({ isAtWork: z.boolean().default(false) }))
    .output(Nothing),
  /** The PIN of a locked session; the fifth wrong one ends the session. */
  unlock: promise(forEverybody)
    .route({ method: 'POST', path: '/app-lock/unlock', tags })
    .errors(refusing('UNAUTHENTICATED', 'GONE'))
    .input(z.object({ pin: Pin }))
    .output(Nothing),
  /** A new PIN for a locked session, by the password; a wrong one counts as a wrong PIN. With a second factor, signing in again is the way. */
  resetPin: promise(forEverybody)
    .route({ method: 'POST', path: '/app-lock/reset', tags })
    .errors(refusing('UNAUTHENTICATED', 'GONE', 'CONFLICT'))
    .input(z.object({ password: CurrentPassword, pin: Pin }))
    .output(Nothing),
  /** The way to the home screen was gone to its end, or put off. */
  noteHomeScreen: signedInPromise('none')
    .route({ method: 'POST', path: '/home-screen', tags })
    .input(z.object({ isDone: z.boolean() }))
    .output(Nothing),
  listSessions: signedInPromise('none')
    .route({ method: 'GET', path: '/sessions', tags })
    .input(Nothing.optional())
    .output(z.object({ sessions: z.array(Session) })),
  endSession: signedInPromise('session')
    .route({ method: 'DELETE', path: '/sessions/{sessionId}', tags })
    .input(z.object({ sessionId: Uuid }))
    .output(Nothing),
  signOutEverywhere: signedInPromise('none')
    .route({ method: 'POST', path: '/sign-out-everywhere', tags })
    .input(Nothing.optional())
    .output(Nothing),
};
