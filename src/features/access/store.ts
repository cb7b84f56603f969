import type { Tx } from '#engines/database/work.ts';
import type { Facts, LinkRules } from './rules.ts';

/** Where the facts are read: inside a unit of work of the system, or straight from the database without one. */
export type Source = Pick<Tx, 'ask'>;

/** Who asks, as far as a request can tell. */
export interface Asker {
  now: Date;
  /** SHA-256 of the secret in the viewer's cookie; without one the viewer is new. */
  deviceSecretHash: Uint8Array | undefined;
  /** Two letters, from the address; left out when nobody knows. */
  country: string | undefined;
}

/** One question to `decide`, with what the rooms above need to act on its answer. */
export interface Question {
  link: LinkRules;
  facts: Facts;
  linkId: string;
  creatorId: string;
  policyVersion: number;
  linkName: string;
  host: { name: string; welcomeText: string };
  /** Known by the cookie; left out for a browser that never passed a gate. */
  viewer: { viewerId: string; deviceId: string } | undefined;
  /** The admission of this viewer to this link, which is the grant that owns the codeword. */
  grantId: string | undefined;
  /** The visit that is asked for, or that this browser's next look would continue (a gap under 10 minutes). */
  visit: { visitId: string; state: 'open' | 'closed' | 'cut'; startedAt: Date; lastBeatAt: Date } | undefined;
  /** To check a password that was typed; a match is written as a pass of `version`. */
  password: { hash: string; version: number } | undefined;
}

/**
 * The live facts of one link for one browser, read anew by one statement; nothing of it may be kept.
 * Undefined when there is no such link.
 */
export declare function findFactsBySlug(source: Source, slug: string, asker: Asker): Promise<Question | undefined>;

/** The same for a renewal. Undefined when there is no such visit or another browser began it. */
export declare function findFactsOfVisit(source: Source, visitId: string, asker: Asker): Promise<Question | undefined>;
