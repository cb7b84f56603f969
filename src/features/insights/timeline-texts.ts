import { describeVersion, nameAuthor } from '#features/links/version-texts.ts';
import { formatCount, formatMoney } from '#kit/text.ts';
import type { Place } from '#kit/time.ts';
import type { TimelineEntry } from './contract.ts';
import { describeRefused } from './insight-texts.ts';

type What = TimelineEntry['what'];
type OfKind<Kind extends What['kind']> = Extract<What, { kind: Kind }>;

/** How something that is no visit stands in the list. */
interface EntryText {
  title: string;
  story: string;
}

const acts: Readonly<Record<OfKind<'act'>['act'], EntryText>> = {
  revoked: { title: 'Revoked', story: 'Everyone with this link lost access' },
  revived: { title: 'Access restored', story: 'The same link works again' },
  shared: { title: 'Shared', story: 'You copied or shared its address for the first time' },
};

const soldWords: Readonly<Record<OfKind<'money'>['sold'], string>> = {
  tip: 'Tip',
  album: 'Paid to open it',
  bundle: 'Paid to open it',
  fan_sub: 'Subscription',
  request: 'Custom work',
};

/** "$15.00": what was paid, and what became of it. */
function describeMoney({ sold, amountCents, refundedCents, currency, isDisputed }: OfKind<'money'>): EntryText {
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const back = refundedCents === amountCents ? 'refunded' : `${format(refundedCents)} refunded`;
  const parts = [soldWords[sold], refundedCents > 0 && back, isDisputed && "taken to the payer's bank"];
  return { title: format(amountCents), story: parts.filter(Boolean).join(' · ') };
}

/** "7 wrong passwords": those of a day are told together, at the last of them. */
const describeWrong = (times: number, what: string): EntryText => ({
  title: formatCount(times, `wrong ${what}`),
  story: times === 1 ? 'Nobody was let in' : 'Nobody was let in · the last one at this time',
});

/** What happened to a link, for all that is no visit. */
export function describeHappened(what: Exclude<What, { kind: 'visit' }>, now: Date, place: Place = {}): EntryText {
  switch (what.kind) {
    case 'version': {
      const title = what.version.before === null ? 'Created' : 'Rules changed';
      return {
        title: `${title} · ${nameAuthor(what.version)}`,
        story: describeVersion(what.version, now, place).join(' · '),
      };
    }
    case 'act':
      return acts[what.act];
    case 'money':
      return describeMoney(what);
    case 'programs':
      return describeRefused({ kind: 'program', times: what.times });
    case 'wrong_password':
      return describeWrong(what.times, 'password');
    case 'wrong_code':
      return describeWrong(what.times, 'code');
  }
}
