import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { describePrice, describeTerms } from '#features/settings/plan-words.ts';
import { drawButton } from '#ui/buttons/button.tsx';
import type { Facts } from '../contract.ts';

const points = [
  'Albums of photos and videos',
  'A link for each person, taken back in one tap',
  "See who's looking, and for how long",
  'Found a leak? Trace the copy',
];

/** The price, and the two ways on. */
export function PriceBlock({ facts: { plan } }: { facts: Facts }) {
  return (
    <section className="mx-auto max-w-290 px-5 py-12 md:py-18">
      <div className="grid gap-x-14 gap-y-8 rounded-sheet bg-plum p-7 text-on-plum shadow-soft md:grid-cols-[1.1fr_1fr] md:items-center md:p-14">
        <div>
          <h2 className="text-28 md:text-38">Yours to show. Yours to take back.</h2>
          <p className="mt-6 flex items-baseline gap-2">
            <span className="font-display text-56 leading-none font-title">{describePrice(plan)}</span>
            <span className="text-21">/month</span>
          </p>
          <p className="mt-3">{describeTerms(plan)}</p>
        </div>
        <div className="grid gap-7">
          <ul className="grid gap-2.5">
            {points.map((point) => (
              <li key={point} className="flex gap-3">
                <Check className="mt-0.5 flex-none" />
                <span>{point}</span>
              </li>
            ))}
          </ul>
          <p className="flex flex-wrap gap-3">
            <Link to="/auth?action=signup" className={drawButton({ variant: 'outline', size: 'large' }, 'border-0')}>
              Start Free Trial
            </Link>
            <Link
              to="/pricing"
              className="inline-flex min-h-13 items-center px-3 text-17 font-strong underline underline-offset-4"
            >
              View All Features
            </Link>
          </p>
        </div>
      </div>
    </section>
  );
}
