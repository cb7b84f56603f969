import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { FunctionEntry } from './functions.ts';
import type { OwnProcess } from './own-process.ts';
import type { AdminScope } from './promise.ts';
import type { Pulse } from './pulse.ts';

/** What a signed-in person may do; computed by the server only. */
export interface AccountAccess {
  isAdmin: boolean;
  isFree: boolean;
  isSubscribed: boolean;
  isEmailConfirmed: boolean;
  isSetUp: boolean;
  /** Suspended or leaving: sign-in works, nothing else does. */
  isStopped: boolean;
}

/** Returns whether a person has access: admin, free user or subscribed. */
export const hasAccess = ({ isAdmin, isFree, isSubscribed }: AccountAccess) => isAdmin || isFree || isSubscribed;

/** Who asks. Viewers are known by their link and device, in the room `viewing`. */
export type Actor =
  | { kind: 'visitor' /** Whose session the app lock has closed. */; lockedUserId?: string }
  | {
      kind: 'creator' | 'admin';
      userId: string;
      sessionId: string;
      access: AccountAccess;
      /** What an administrator may do; nobody else has any. */
      adminScopes: readonly AdminScope[];
    };

/** Returns whether an administrator may do what a scope allows; an owner may do everything. */
export const hasScope = (scopes: readonly AdminScope[], scope: AdminScope) =>
  scopes.includes('owner') || scopes.includes(scope);

/** Where a call comes from. The address itself is never kept or logged. */
export interface Caller {
  /** For rate limits and the country only. */
  address: string;
  userAgent: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  cookie(name: string): string | undefined;
}

export interface CookieOptions {
  maxAgeSeconds: number;
}

/** What is refused when there is too much to do, in this order; a refusal that the rules decide is never among it. */
export type Sheddable = 'insights' | 'metrics' | 'opens' | 'renewals' | 'rest' | 'assets';

/** What every handler receives; nothing is looked up before it is asked for. */
export interface Context {
  requestId: string;
  now: Date;
  engines: Engines;
  caller: Caller;
  actor(): Promise<Actor>;
  /** Returns whether calls of this kind are refused just now, for handlers that decide before they refuse. */
  isShedding(kind: Sheddable): boolean;
  /** Gives back the place among those that are decided at once: this call only waits from now on. */
  waitOutside(): void;
  /** How the parts of this installation are. */
  pulse: Pulse;
  /** What the process that answers knows of itself. */
  ownProcess: OwnProcess;
  /** All that can be called. */
  functions(): readonly FunctionEntry[];
  /** One transaction as the system: for visitors, viewers and what a handler has authorised itself. */
  asSystem<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  /** Sets a cookie with the app's attributes (HttpOnly, SameSite=Lax, Secure under https). */
  setCookie(name: string, value: string, options: CookieOptions): void;
  clearCookie(name: string): void;
}

/** A handler of a signed-in creator has these as well. */
export interface CreatorContext extends Context {
  creator: Extract<Actor, { userId: string }>;
  /** One transaction as this creator, under row-level security. */
  work<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
}

/** A handler of an administrator has this as well; what it reads of others, it reads as the system. */
export interface AdminContext extends Context {
  admin: Extract<Actor, { userId: string }>;
}
