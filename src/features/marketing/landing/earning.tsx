import { Coins, HandHeart, type LucideIcon, VenetianMask } from 'lucide-react';
import { splitPayment } from '#features/orders/split-rules.ts';
import { formatMoney } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import type { Facts } from '../contract.ts';
import { SitePart } from '../site/site-part.tsx';

/** What somebody pays in the example, in cents. */
const exampleCents = 5000;

interface Way {
  icon: LucideIcon;
  title: string;
  text: string;
  /** It needs somebody who takes the payments. */
  isPaid: boolean;
}

const ways: readonly Way[] = [
  {
    icon: Coins,
    title: 'Monthly subscriptions',
    text: 'You set the price. Subscribers see everything you add, or the albums you choose, and cancel in one tap.',
    isPaid: true,
  },
  {
    icon: HandHeart,
    title: 'Instant tips',
    text: 'A thank-you by card, without an account and without a chat.',
    isPaid: true,
  },
  {
    icon: VenetianMask,
    title: 'Private by default',
    text: 'No public profile, no search, no follower count. Only people who have your link know that there is one.',
    isPaid: false,
  },
];

/** Subscriptions, tips and privacy. */
export function Earning({ facts: { takesPayments, plan } }: { facts: Facts }) {
  return (
    <SitePart
      title="Paid by people you chose, and seen by nobody else"
      lead={
        takesPayments
          ? 'Decide what a link costs, or that it costs nothing.'
          : 'Share for free. Nobody takes payments on this installation yet: this is what they will be like.'
      }
    >
      <div className="grid gap-x-14 gap-y-10 md:grid-cols-[1.15fr_1fr] md:items-center">
        <ul className="grid gap-7">
          {ways.map(({ icon: Icon, title, text, isPaid }) => (
            <li key={title} className="flex gap-4">
              <span className="grid size-11 flex-none place-items-center rounded-full bg-plum-wash text-plum">
                <Icon />
              </span>
              <div>
                <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-21">
                  <span>{title}</span>
                  {isPaid && !takesPayments && (
                    <span className="font-text tracking-normal">
                      <Chip tone="plain">Planned</Chip>
                    </span>
                  )}
                </h3>
                <p className="mt-1 text-quiet">{text}</p>
              </div>
            </li>
          ))}
        </ul>
        <Split commissionPercent={plan.commissionPercent} />
      </div>
    </SitePart>
  );
}

/** How a payment is split, drawn to scale in tenths. */
function Split({ commissionPercent }: Pick<Facts['plan'], 'commissionPercent'>) {
  const { feeCents, shareCents } = splitPayment(exampleCents, commissionPercent);
  const hers = `${100 - commissionPercent}%`;
  return (
    <figure className="rounded-sheet border border-line bg-raised p-6 shadow-soft md:p-8">
      <figcaption className="flex items-center justify-between gap-4 text-quiet">
        <span>{`Someone pays ${formatMoney(exampleCents)}`}</span>
        <Chip tone="plain">Example</Chip>
      </figcaption>
      <p className="mt-5 font-display text-56 leading-none font-title">{formatMoney(shareCents)}</p>
      <p className="mt-2 text-quiet">{`is yours: ${hers} of the price shown`}</p>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="mt-6 h-3 w-full">
        <rect width={100 - commissionPercent - 0.6} height="4" rx="0.6" className="fill-plum" />
        <rect
          x={100 - commissionPercent}
          width={commissionPercent}
          height="4"
          rx="0.6"
          className="fill-plum opacity-25"
        />
      </svg>
      <p className="mt-3 flex justify-between gap-4 text-13 text-quiet">
        <span>You</span>
        <span>{`PrivateFans ${formatMoney(feeCents)}, card fees included`}</span>
      </p>
    </figure>
  );
}
