import { oc } from '@orpc/contract';
import { speakPlainly } from '#kit/plain-faults.ts';
import { refusing } from './refusals.ts';

speakPlainly();

/** Who may succeed with a procedure; the authorization matrix reads it. */
export type Who = 'visitor' | 'viewer' | 'creator' | 'admin';

/** What an administrator may do: help people and see to failures, decide reports, see to payments, or all of it. */
export const adminScopes = ['support', 'moderation', 'finance', 'owner'] as const;
export type AdminScope = (typeof adminScopes)[number];

/** The noun whose ids a procedure takes. */
export type Subject =
  | 'none'
  | 'album'
  | 'item'
  | 'medium'
  | 'upload'
  | 'link'
  | 'visit'
  | 'session'
  | 'viewer'
  | 'trace'
  | 'order'
  | 'tier'
  | 'fan'
  | 'pass'
  | 'preset'
  | 'pack'
  | 'request'
  | 'access'
  | 'securityEvent'
  | 'passkey'
  | 'export'
  | 'coPerformer';

export interface ProcedureMeta {
  who: readonly Who[];
  subject: Subject;
  /** Answers alike whether or not the thing exists, so a 200 tells nothing. */
  neutral?: boolean;
  /** Only for accounts that are set up and have access. */
  needsPlan?: boolean;
  /** Only for accounts that are set up and neither suspended nor leaving; what is owed does not wait for a plan. */
  needsSetUp?: boolean;
  /** Makes something: its caller may send a key of its own, and the same key makes it once. */
  creates?: boolean;
  /** Only for administrators who have one of these scopes, or `owner`. */
  scopes?: readonly AdminScope[];
}

/** The header in which a creating call carries its caller's key, a UUID. */
export const creationHeader = 'idempotency-key';

const base = oc.$meta<ProcedureMeta>({ who: [], subject: 'none' });

/** A procedure that anybody may call. */
export const promise = (meta: ProcedureMeta) => base.meta(meta).errors(refusing('VALIDATION', 'RATE_LIMITED'));

/** A procedure of a signed-in creator, also without a plan: owed data and settings must stay reachable. */
export const signedInPromise = (subject: Subject) =>
  base
    .meta({ who: ['creator', 'admin'], subject })
    .errors(refusing('UNAUTHENTICATED', 'NOT_FOUND', 'VALIDATION', 'RATE_LIMITED'));

/** A procedure of a creator whose account is set up, also without a plan: what was paid for is delivered, what is owed paid out. */
export const setUpPromise = (subject: Subject) =>
  signedInPromise(subject)
    .meta({ who: ['creator', 'admin'], subject, needsSetUp: true })
    .errors(refusing('EMAIL_UNCONFIRMED', 'SETUP_REQUIRED', 'SUBSCRIPTION_REQUIRED', 'CONFLICT'));

/** A procedure of a creator whose account is set up and has access. */
export const creatorPromise = (subject: Subject) =>
  signedInPromise(subject)
    .meta({ who: ['creator', 'admin'], subject, needsPlan: true })
    .errors(refusing('EMAIL_UNCONFIRMED', 'SETUP_REQUIRED', 'SUBSCRIPTION_REQUIRED', 'CONFLICT'));

const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Made by the caller. A call repeated with the same key within a day answers with what the first one made.',
  schema: { type: 'string', format: 'uuid' },
} as const;

/** A creator's procedure that makes something: a double tap or a retry after a lost answer makes it once. */
export const creatingPromise = (subject: Subject) =>
  creatorPromise(subject)
    .meta({ who: ['creator', 'admin'], subject, needsPlan: true, creates: true })
    .route({ spec: (known) => ({ ...known, parameters: [...(known.parameters ?? []), keyParameter] }) });

/** A procedure of an administrator with one of these scopes; what it is about may be anybody's. */
export const adminPromise = (...scopes: AdminScope[]) =>
  base
    .meta({ who: ['admin'], subject: 'none', scopes })
    .errors(refusing('UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'VALIDATION', 'CONFLICT', 'RATE_LIMITED'));
