import { pickEmail } from '#features/access/policy.ts';
import { type Facts, type GrantFact, type LinkRules, visitGapMs } from '#features/access/rules.ts';
import { screenAliveMs } from '#features/links/rules.ts';
import { readTable } from '#tests/support/access/decision-table.ts';
import { factsOf, policyOf } from '#tests/support/decisions.ts';
import type { Browser } from '#tests/support/test-app.ts';

/** The newest visit of one browser to one link, as the server has it. */
export interface ModelVisit {
  visitId: string;
  heartbeatAt: number;
  /** `cut` goes on no more. */
  state: 'open' | 'closed' | 'cut';
}

/** A browser, with its visit to each link. */
export interface ModelDevice {
  browser: Browser;
  visits: Map<string, ModelVisit>;
}

/** A viewer as the model knows them: what they are inside of, and what was decided about them. */
export interface ModelViewer {
  name: string;
  devices: ModelDevice[];
  /** By the address that they come from; undefined for one of which nobody knows it. */
  country: string | undefined;
  email: string;
  /** Said their age in a call that let them in. */
  isAdult: boolean;
  blockedBy: Set<string>;
  /** Creators at whose links they have proven their address. */
  provenTo: Set<string>;
  /** Any visit of theirs, by which their row is found. */
  lastVisitId?: string;
}

/** What one viewer asked of one creator's album, and what came of it. */
interface Asked {
  status: 'pending' | 'approved' | 'denied';
  grant: GrantFact | undefined;
  /** The link at whose door they asked. */
  askedBy: ModelLink;
}

/** What a link knows of somebody whom it has let in. */
export interface ModelAdmission {
  firstAt: number;
  visits: number;
  watchedMs: number;
  resumeCode: string | undefined;
}

/** A payment that opens a link, and what had been used up when it was first looked by. */
export interface ModelPurchase {
  policy: LinkRules['policy'];
  cents: number;
  openedAt: number | undefined;
  before: { visits: number; watchedMs: number };
}

export interface ModelLink {
  id: string;
  slug: string;
  creator: string;
  rules: Parameters<typeof policyOf>[0] & object;
  password: { word: string; version: number } | undefined;
  isRevoked: boolean;
  expiresAt: number | undefined;
  admitted: Map<ModelViewer, ModelAdmission>;
  bought: Map<ModelViewer, ModelPurchase>;
  /** The version of the password that somebody has typed. */
  typed: Map<ModelViewer, number>;
  /** Each version asked for another password than the one before. */
  versions: number;
}

export const policyOfLink = ({ rules, password }: ModelLink): LinkRules['policy'] =>
  policyOf({ ...rules, password: password !== undefined });

export const goesOn = (visit: ModelVisit | undefined, now: number): boolean =>
  visit !== undefined && visit.state !== 'cut' && now - visit.heartbeatAt < visitGapMs;
const isOnScreen = (visit: ModelVisit | undefined, now: number) =>
  visit?.state === 'open' && now - visit.heartbeatAt < screenAliveMs(15_000);

/** Returns whether a request waits no more because the link that it was asked by has ended. */
const isDropped = (asked: Asked | undefined, now: number): boolean =>
  asked?.status === 'pending' &&
  (asked.askedBy.isRevoked || now >= (asked.askedBy.expiresAt ?? Number.POSITIVE_INFINITY));

/** Who may see what, kept in a few maps: what the product finds with its rows has to be the same. */
export class AccessModel {
  readonly #asked = new Map<string, Asked>();
  #keyOf = (creator: string, { name }: ModelViewer) => `${creator} ${name}`;

  askedOf = (creator: string, viewer: ModelViewer): Asked | undefined => this.#asked.get(this.#keyOf(creator, viewer));
  keep(creator: string, viewer: ModelViewer, asked: Asked | undefined): void {
    if (asked === undefined) this.#asked.delete(this.#keyOf(creator, viewer));
    else this.#asked.set(this.#keyOf(creator, viewer), asked);
  }

  /** Returns why this viewer is refused at this moment, or OK. @param answers they answer what the door asks @param isInside on a screen that is open */
  expect(link: ModelLink, viewer: ModelViewer, moment: Moment): string {
    const { now } = moment;
    const rules: LinkRules = {
      albumIds: ['a'],
      revokedAt: link.isRevoked ? now : undefined,
      expiresAt: link.expiresAt,
      policy: policyOfLink(link),
    };
    return readTable({ link: rules, facts: this.#factsOf(link, viewer, moment) }).reason;
  }

  #factsOf(link: ModelLink, viewer: ModelViewer, { now, answers, isInside, device, takesOver }: Moment): Facts {
    const asked = this.askedOf(link.creator, viewer);
    const bought = link.bought.get(viewer);
    const purchase: GrantFact[] = bought === undefined ? [] : [{ albumIds: ['a'], source: 'purchase' }];
    const terms = bought?.policy ?? policyOfLink(link);
    const email = answers || viewer.provenTo.has(link.creator) ? [viewer.email] : [];
    const typed = link.typed.get(viewer);
    const isTyped =
      bought === undefined ? typed !== undefined && typed === link.password?.version : typed !== undefined;
    const visit = device?.visits.get(link.id);
    return factsOf({
      now,
      viewerBlocked: viewer.blockedBy.has(link.creator),
      request: isDropped(asked, now) ? undefined : asked?.status,
      country: viewer.country,
      passed: { age: viewer.isAdult || answers, password: isTyped || answers, email: pickEmail(terms, email) },
      grants: [...(asked?.grant === undefined ? [] : [asked.grant]), ...purchase],
      ...(bought !== undefined && { boughtUnder: bought.policy, tips: [bought.cents] }),
      ...this.#usedOf(link, viewer, goesOn(visit, now)),
      viewersKnown: link.admitted.size,
      isKnownViewer: link.admitted.has(viewer),
      visitOpen: isInside || isOnScreen(visit, now),
      concurrent:
        takesOver === true ? 0 : othersOf(link, viewer, device).filter((other) => isOnScreen(other, now)).length,
    });
  }

  /** What is used up of a link, counted from the newest payment. */
  #usedOf(
    link: ModelLink,
    viewer: ModelViewer,
    isGoingOn: boolean,
  ): Pick<Facts, 'firstLookAt' | 'visits' | 'watchedMs'> {
    const { firstAt, visits = 0, watchedMs = 0 } = link.admitted.get(viewer) ?? {};
    const bought = link.bought.get(viewer);
    if (bought === undefined)
      return { firstLookAt: firstAt, visits: Math.max(0, visits - (isGoingOn ? 1 : 0)), watchedMs };
    const before = bought.openedAt === undefined ? { visits, watchedMs } : bought.before;
    return {
      firstLookAt: bought.openedAt,
      visits: Math.max(0, visits - before.visits - (isGoingOn ? 1 : 0)),
      watchedMs: watchedMs - before.watchedMs,
    };
  }
}

/** Visits of a viewer's other browsers to a link. */
export const othersOf = (link: ModelLink, { devices }: ModelViewer, device: ModelDevice | undefined): ModelVisit[] =>
  devices.flatMap((other) => (other === device ? [] : (other.visits.get(link.id) ?? [])));

export interface Moment {
  now: number;
  answers: boolean;
  isInside: boolean;
  /** The browser that asks; left out for one of which nothing is known. */
  device?: ModelDevice | undefined;
  /** It wants the place of another screen. */
  takesOver?: boolean;
}

/** Reasons that people who never had access are told as one. */
const closed = ['NOT_FOUND', 'VIEWER_BLOCKED', 'REVOKED', 'EXPIRED', 'VIEWERS_FULL'];

/** Returns whether an answer is the expected one, as far as it may tell it. Who has paid is told that it is over by whomever. */
export const isSaid = (expected: string, said: string): boolean =>
  said === expected ||
  (closed.includes(expected) && said === 'NOT_FOUND') ||
  (expected === 'VIEWER_BLOCKED' && said === 'REVOKED');
