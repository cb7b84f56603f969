import { oc } from '@orpc/contract';
import { refusing } from './refusals.ts';

/** Who may succeed with a procedure; the authorization matrix reads it. */
export type Who = 'visitor' | 'viewer' | 'creator' | 'admin';

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
  | 'trace';

export interface ProcedureMeta {
  who: readonly Who[];
  subject: Subject;
  /** Answers alike whether or not the thing exists, so a 200 tells nothing. */
  neutral?: boolean;
  /** Only for accounts that are set up and have access. */
  needsPlan?: boolean;
}

const base = oc.$meta<ProcedureMeta>({ who: [], subject: 'none' });

/** A procedure that anybody may call. */
export const promise = (meta: ProcedureMeta) => base.meta(meta).errors(refusing('VALIDATION', 'RATE_LIMITED'));

/** A procedure of a signed-in creator, also without a plan: owed data and settings must stay reachable. */
export const signedInPromise = (subject: Subject) =>
  base
    .meta({ who: ['creator', 'admin'], subject })
    .errors(refusing('UNAUTHENTICATED', 'NOT_FOUND', 'VALIDATION', 'RATE_LIMITED'));

/** A procedure of a creator whose account is set up and has access. */
export const creatorPromise = (subject: Subject) =>
  signedInPromise(subject)
    .meta({ who: ['creator', 'admin'], subject, needsPlan: true })
    .errors(refusing('EMAIL_UNCONFIRMED', 'SETUP_REQUIRED', 'SUBSCRIPTION_REQUIRED', 'CONFLICT'));
