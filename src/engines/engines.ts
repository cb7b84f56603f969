import type { Assistant } from './assistant/assistant.ts';
import type { Database } from './database/database.ts';
import type { PlaceFinder } from './geoip/geoip.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { Mail } from './mail/mail.ts';
import type { Payments } from './payments/payments.ts';
import type { Sandbox } from './payments/sandbox-parts.ts';
import type { Push } from './push/push.ts';
import type { Storage } from './storage/storage.ts';

/** What the app is, as its rooms may know it. */
export interface Installation {
  /** Origin of all addresses that are made, without a slash at the end. */
  publicUrl: string;
  isSandbox: boolean;
  /** Served over https: cookies are Secure and carry their prefix. */
  isSecure: boolean;
  dataDir: string;
  /** Where the embedded database and the files are backed up all the time, if anywhere. */
  backupDir?: string | undefined;
  /** What may be shown here; `no_explicit` where it is left out. */
  contentPolicy?: 'no_explicit' | 'adult' | undefined;
  /** Who runs it and how to reach them, as the pages say that people agree to. */
  operatorName?: string | undefined;
  operatorEmail?: string | undefined;
  /** The built-in demo video lies beside the pages. */
  hasDemoVideo?: boolean;
  /** What signs the mail provider's reports; without one none are taken. */
  mailHookSecret?: string | undefined;
}

/** Every outside thing behind an interface; each has an embedded default. */
export interface Engines {
  installation: Installation;
  database: Database;
  storage: Storage;
  keys: KeyRing;
  /** What sessions and mailed codes are signed with, newest first; older ones are still accepted. */
  secrets: readonly [string, ...string[]];
  mail: Mail;
  push: Push;
  jobs: Jobs;
  payments: Payments;
  /** The parts of the built-in payment provider that people touch; undefined where a real one takes the money. */
  sandbox: Sandbox | undefined;
  geoip: PlaceFinder;
  assistant: Assistant;
  /** Milliseconds since 1970; the only clock. */
  clock: () => number;
  /** The clock of links and visits: `clock`, unless a developer has turned it in a sandbox. */
  linkClock: () => number;
  log: Log;
}

/** One line of the log: no email, slug, key, token or address in it, ever. */
export interface Log {
  /** Details that are written while somebody looks into something; left out by logs that nobody raises. */
  debug?(about: object, words?: string): void;
  info(about: object, words?: string): void;
  warn(about: object, words?: string): void;
  error(about: object, words?: string): void;
}
