import { isolate } from '#kit/text.ts';
import type { SoldKind } from './contract.ts';

const names: Readonly<Record<SoldKind, string>> = {
  tip: 'Tip',
  album: 'Album',
  bundle: 'Albums',
  fan_sub: 'Subscription',
  request: 'Custom request',
};

/** Returns what was sold, in a word; of a subscription with its months, where they are several. */
export const nameSold = (kind: SoldKind, months = 1): string =>
  kind === 'fan_sub' && months > 1 ? `${names[kind]}, ${months} months` : names[kind];

/** The same with its seller, for whoever bought it; an album's own name is nobody's business on a receipt. */
export const describeSold = (kind: SoldKind, creatorName: string): string =>
  `${names[kind]} ${kind === 'tip' || kind === 'fan_sub' ? 'to' : 'by'} ${isolate(creatorName)}`;
