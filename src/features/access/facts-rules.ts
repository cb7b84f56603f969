import type { Policy } from '#features/links/policy.ts';

/** What is asked about: one link and its rules as they stand now. Times are milliseconds since 1970. */
export interface LinkRules {
  /** 1–20. */
  albumIds: readonly string[];
  revokedAt?: number | undefined;
  expiresAt?: number | undefined;
  policy: Policy;
}

/** What opens albums for one viewer: bought, tipped, subscribed, approved or given. Live until it ends or is taken back. */
export interface GrantFact {
  albumIds: readonly string[];
  source: 'purchase' | 'custom' | 'tip' | 'approval' | 'manual' | 'sub' | 'fan_pass';
  expiresAt?: number | undefined;
  revokedAt?: number | undefined;
}

/** A fan subscription of this viewer with this creator. */
export interface FanFact {
  tierId: string;
  /** The albums of its tier. */
  albumIds: readonly string[] | 'all';
  /** End of the paid period. */
  endsAt?: number | undefined;
}

/** Everything a decision rests on, gathered fresh for each one. Times are milliseconds since 1970. */
export interface Facts {
  now: number;
  /** The link or one of its albums was taken down. */
  takenDown: boolean;
  /** By this creator or everywhere. */
  viewerBlocked: boolean;
  /** The creator's own plan lapsed, or their account is suspended. */
  creatorPaused: boolean;
  /** Every album is ready, or archived while this viewer holds a live bought grant for it: see `areAlbumsReady`. */
  albumReady: boolean;
  /** Not everybody who is shown has agreed, or somebody has taken it back; left out where everybody has. */
  consent?: 'missing' | 'withdrawn' | undefined;
  /** Two letters; left out when nobody knows. */
  country?: string | undefined;
  passed: {
    age: boolean;
    /** The password of the version in force. */
    password: boolean;
    /** The address that was verified. */
    email?: string | undefined;
    /** The agreement that was accepted. */
    agreementId?: string | undefined;
  };
  request?: 'pending' | 'approved' | 'denied' | undefined;
  grants: readonly GrantFact[];
  /** Rules of the version that a held grant came with; left out when they are the present ones. */
  boughtUnder?: Policy | undefined;
  /** Settled, unrefunded tips of this viewer on this link, in cents. */
  tips: readonly number[];
  fanSubs: readonly FanFact[];
  /** What became of what this viewer paid here, when it is with a bank or went back by one. */
  payback?: 'disputed' | 'charged_back' | undefined;
  /** The link delivers what was asked for, and a bank looks at its payment. */
  isDeliveryHeld?: boolean | undefined;
  /** The link delivers what this viewer asked and paid for. */
  isDelivery?: boolean | undefined;
  /**
   * First look, total watching and visits of this viewer on this link, counted from the newest paid order. Whoever was let in
   * looks, whether their browser tells so or not.
   */
  firstLookAt?: number | undefined;
  watchedMs: number;
  /** The least time in which all that was lent can be looked at; it is used up, whatever a browser tells of watching. */
  lentMs: number;
  /** Visits begun, without the one that is being continued (gaps under 10 minutes). */
  visits: number;
  /** The asking visit is on a screen already, so counting limits do not strike it. */
  visitOpen: boolean;
  /** Distinct viewers ever admitted to this link. */
  viewersKnown: number;
  /** This viewer has an admission or a reserved place. */
  isKnownViewer: boolean;
  /** The browser brought our cookie along: what it is given now, it can ask for again. */
  keepsCookie: boolean;
  /** A program that drives a browser, by its own word. */
  isProgram: boolean;
  /** A browser that doesn't say that it is on a phone or a tablet. */
  isDesktop: boolean;
  /** Other screens on which this viewer has this link open. */
  concurrent: number;
}
