import type { Facts, GrantFact, LinkRules } from '#features/access/rules.ts';
import { readTable } from '#tests/support/access/decision-table.ts';
import { factsOf, policyOf } from '#tests/support/decisions.ts';
import type { Browser } from '#tests/support/test-app.ts';

/** A viewer as the model knows them: what they are inside of, and what was decided about them. */
export interface ModelViewer {
  name: string;
  browser: Browser;
  /** Said their age in a call that let them in. */
  isAdult: boolean;
  blockedBy: Set<string>;
  /** Any visit of theirs, by which their row is found. */
  lastVisitId?: string;
  /** Their open visit to each link. */
  visits: Map<string, { visitId: string; beatAt: number }>;
}

/** What one viewer asked of one creator's album, and what came of it. */
interface Asked {
  status: 'pending' | 'approved' | 'denied';
  grant: GrantFact | undefined;
  /** The link at whose door they asked. */
  askedBy: ModelLink;
}

export interface ModelLink {
  id: string;
  slug: string;
  creator: string;
  rules: Parameters<typeof policyOf>[0] & object;
  password: { word: string; version: number } | undefined;
  isRevoked: boolean;
  expiresAt: number | undefined;
  /** Who was let in, and when first. */
  admitted: Map<ModelViewer, number>;
  /** The version of the password that somebody has typed. */
  typed: Map<ModelViewer, number>;
  /** Each version asked for another password than the one before. */
  versions: number;
}

/** Who may see what, kept in a few maps: what the product finds with its rows has to be the same. */
export class AccessModel {
  readonly #asked = new Map<string, Asked>();
  #keyOf = (creator: string, { name }: ModelViewer) => `${creator} ${name}`;

  askedOf = (creator: string, viewer: ModelViewer): Asked | undefined => this.#asked.get(this.#keyOf(creator, viewer));
  keep(creator: string, viewer: ModelViewer, asked: Asked | undefined): void {
    if (asked === undefined) this.#asked.delete(this.#keyOf(creator, viewer));
    else this.#asked.set(this.#keyOf(creator, viewer), asked);
  }

  /** Why this viewer is refused at this moment, or OK. @param answers they answer what the door asks @param isInside on a screen that is open */
  expect(link: ModelLink, viewer: ModelViewer, { now, answers, isInside }: Moment): string {
    const asked = this.askedOf(link.creator, viewer);
    const isTyped = link.password !== undefined && link.typed.get(viewer) === link.password.version;
    const facts: Facts = factsOf({
      ...{ now, viewerBlocked: viewer.blockedBy.has(link.creator), request: asked?.status },
      passed: { age: viewer.isAdult || answers, password: isTyped || answers },
      grants: asked?.grant === undefined ? [] : [asked.grant],
      firstLookAt: link.admitted.get(viewer),
      viewersKnown: link.admitted.size,
      isKnownViewer: link.admitted.has(viewer),
      visitOpen: isInside,
    });
    const rules: LinkRules = {
      albumIds: ['a'],
      revokedAt: link.isRevoked ? now : undefined,
      expiresAt: link.expiresAt,
      policy: policyOf({ ...link.rules, password: link.password !== undefined }),
    };
    return readTable({ link: rules, facts }).reason;
  }
}

export interface Moment {
  now: number;
  answers: boolean;
  isInside: boolean;
}

/** Reasons that people who never had access are told as one. */
const closed = ['NOT_FOUND', 'VIEWER_BLOCKED', 'REVOKED', 'EXPIRED', 'VIEWERS_FULL'];

/** Whether an answer is the expected one, as far as it may tell it. */
export const isSaid = (expected: string, said: string): boolean =>
  said === expected || (closed.includes(expected) && said === 'NOT_FOUND');
