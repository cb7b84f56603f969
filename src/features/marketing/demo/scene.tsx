import type { ReactNode } from 'react';
import type { Elements } from '#kit/elements.ts';
import { cx } from '#ui/cx.ts';
import type { ShownClaim } from '../claims/claims.ts';
import { sampleNote } from '../claims/claims.ts';

/** What every scene is drawn from. */
export interface SceneProps {
  /** Since the scene began; endless where nothing moves by itself. */
  sceneMs: number;
  /** Those that may be shown here. */
  claims: readonly ShownClaim[];
  /** The share of a price that its creator keeps, in percent. */
  keptPercent: number;
  /** What the trial and the plan cost, in one sentence. */
  terms: string;
}

/** Words that have the screen for themselves. */
export const screenType = 'font-display text-screen font-title tracking-tight text-balance';
/** Words beside a picture of the product. */
export const titleType = 'font-display text-38 font-title text-balance max-sm:text-28 short:text-28 lg:text-56';

/** The claim that says this, where it may be shown. */
export const findClaim = (claims: readonly ShownClaim[], words: string): ShownClaim | undefined =>
  claims.find(({ text }) => text.includes(words));

type AppearingProps = { isThere: boolean; className?: string; children: ReactNode };

/** What comes up softly in its own place. */
export function Appearing({ isThere, className, children }: AppearingProps) {
  return (
    <div className={cx('transition duration-500', !isThere && 'translate-y-3 opacity-0', className)}>{children}</div>
  );
}

type DemoClaimProps = {
  claim: ShownClaim | undefined;
  isThere: boolean;
  /** Whose it is. */
  before?: Elements;
  className?: string;
};

/** A claim at the foot of a scene, which says when nobody vouches for it. */
export function DemoClaim({ claim, isThere, before, className }: DemoClaimProps) {
  if (claim === undefined) return null;
  return (
    <Appearing
      isThere={isThere}
      // The first scene's stands before React has come, where nothing is to move or no script runs.
      className={cx(
        'motion-reduce:translate-none motion-reduce:opacity-100 noscript:translate-none noscript:opacity-100',
        'flex flex-wrap items-center justify-center gap-x-2.5 gap-y-1 text-15 text-ink',
        className,
      )}
    >
      {before}
      <span>{claim.figure === null ? claim.text : `${claim.figure} ${claim.text}`}</span>
      {claim.isSample && <span className="text-13 text-quiet">{sampleNote}</span>}
    </Appearing>
  );
}
