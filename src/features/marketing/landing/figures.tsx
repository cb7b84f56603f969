import type { Facts } from '../contract.ts';
import { SampleNote } from '../sample-note.tsx';
import { SitePart } from '../site-part.tsx';

/** Voices and figures: what an operator stands up for, else what the settings say. */
export function Figures({ facts }: { facts: Facts }) {
  const quotes = facts.claims.filter(({ place }) => place === 'quotes');
  const claimed = facts.claims.filter(({ place }) => place === 'figures');
  const figures = claimed.length > 0 ? claimed : listComputed(facts);
  const isSample = [...quotes, ...claimed].some((claim) => claim.isSample);
  return (
    <SitePart title={quotes.length > 0 ? 'What creators say' : 'In figures'}>
      {isSample && <SampleNote className="-mt-4 mb-7" />}
      {quotes.length > 0 && (
        <ul className="grid gap-4 md:grid-cols-3">
          {quotes.map(({ text, by }) => (
            <li key={text} className="grid rounded-card border border-line bg-raised p-6">
              <blockquote className="font-display text-21 leading-snug font-title text-balance">{`“${text}”`}</blockquote>
              <p className="mt-5 self-end text-13 text-quiet">{by}</p>
            </li>
          ))}
        </ul>
      )}
      <dl className="mt-10 grid grid-cols-2 gap-x-6 gap-y-8 first:mt-0 sm:grid-cols-3 lg:grid-cols-6">
        {figures.map(({ figure, text }) => (
          <div key={`${figure} ${text}`} className="flex flex-col-reverse justify-end border-t border-line pt-4">
            <dt className="text-13 text-balance text-quiet">{text}</dt>
            <dd className="font-display text-38 leading-tight font-title">{figure}</dd>
          </div>
        ))}
      </dl>
    </SitePart>
  );
}

const listComputed = ({ limits, plan }: Facts) => [
  { figure: `${limits.leaseSeconds} s`, text: 'until an open screen closes after you revoke, at the latest' },
  { figure: '2', text: 'variants of every tile of every photo: each viewer gets a pattern of their own' },
  { figure: '0', text: 'accounts that your viewers have to create' },
  { figure: `${plan.trialDays}`, text: 'days free, without a card' },
  { figure: `${100 - plan.commissionPercent}%`, text: 'of what viewers will pay is yours' },
  { figure: `${limits.undoHours} h`, text: 'to undo a revoke that you regret' },
];
