/** Where a claim stands. */
export type ClaimPlace = 'hero' | 'figures' | 'quotes' | 'pricing' | 'demo';

/**
 * What an operator may say of their own installation, in words that are fixed here. None of it can be computed, so a live
 * installation shows it only once somebody has confirmed it with a source; a sandbox shows it as sample copy.
 */
export interface OperatorClaim {
  key: string;
  place: ClaimPlace;
  /** The figure alone, set large; a quote has none. */
  figure?: string;
  text: string;
  /** Who is quoted. */
  by?: string;
}

export const operatorClaims: readonly OperatorClaim[] = [
  { key: 'hero.rating', place: 'hero', figure: '4.9/5', text: 'average rating' },
  { key: 'hero.creators', place: 'hero', figure: '5,247', text: 'creators' },
  { key: 'hero.earned', place: 'hero', figure: '$2.4M+', text: 'earned by creators' },
  { key: 'figures.creators', place: 'figures', figure: '5,000+', text: 'creators' },
  { key: 'figures.paidOut', place: 'figures', figure: '$100k', text: 'paid out, and counting' },
  { key: 'figures.albums', place: 'figures', figure: '2,500+', text: 'albums' },
  { key: 'figures.earned', place: 'figures', figure: '$38k+', text: 'earned' },
  { key: 'figures.leaks', place: 'figures', figure: '0', text: 'leaks' },
  { key: 'figures.screenshots', place: 'figures', figure: '99.8%', text: 'success rate in blocking screenshots' },
  {
    key: 'quotes.control',
    place: 'quotes',
    text: 'I send one link, to one person. When it stops feeling right, I take it back, and that is the end of it.',
    by: 'A portrait photographer',
  },
  {
    key: 'quotes.knowing',
    place: 'quotes',
    text: 'I used to wonder where my photos went. Now I see who looked, and for how long.',
    by: 'A dancer and model',
  },
  {
    key: 'quotes.calm',
    place: 'quotes',
    text: 'No feed, no followers, no strangers in my messages. It is the first place online that feels like my own room.',
    by: 'A fitness coach',
  },
  {
    key: 'pricing.payouts',
    place: 'pricing',
    text: 'Payouts within 2 business days: started within 2 business days after the money is available.',
  },
  {
    key: 'pricing.support',
    place: 'pricing',
    text: 'Support replies within 2 hours on business days, and within 8 hours on weekends.',
  },
  { key: 'demo.private', place: 'demo', figure: '100%', text: 'private' },
  { key: 'demo.protected', place: 'demo', figure: '5K+', text: 'women protected' },
  { key: 'demo.rating', place: 'demo', figure: '4.9/5', text: 'rating' },
  { key: 'demo.everyTwelveMinutes', place: 'demo', text: 'A private photo leaks every 12 minutes.' },
  { key: 'demo.oneInThree', place: 'demo', text: '1 in 3 women has had it happen to her.' },
];

/** What an operator has stood up for. */
export interface Confirmation {
  key: string;
  /** Where it can be checked. */
  source: string;
  checkedAt: Date;
  /** From when on it must be checked again. */
  expiresAt: Date | null;
}

/** A claim as a page shows it. */
export interface ShownClaim {
  place: ClaimPlace;
  figure: string | null;
  text: string;
  by: string | null;
  /** Nobody vouches for it: it stands in a sandbox only, and says so. */
  isSample: boolean;
}

const isConfirmed = (confirmation: Confirmation | undefined, now: Date): boolean =>
  confirmation !== undefined && (confirmation.expiresAt === null || confirmation.expiresAt > now);

/** The claims that may be shown now: confirmed ones everywhere, all others in a sandbox as samples. */
export function listShownClaims(
  confirmations: readonly Confirmation[],
  { isSandbox, now }: { isSandbox: boolean; now: Date },
): ShownClaim[] {
  return operatorClaims.flatMap(({ key, place, figure = null, text, by = null }) => {
    const isSample = !isConfirmed(
      confirmations.find((confirmation) => confirmation.key === key),
      now,
    );
    return isSample && !isSandbox ? [] : [{ place, figure, text, by, isSample }];
  });
}

/** What stands beside claims that nobody vouches for. */
export const sampleNote = 'Sample figures';
