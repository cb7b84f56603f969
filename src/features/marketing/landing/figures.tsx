import { cx } from '#ui/cx.ts';
import type { Facts } from '../contract.ts';
import { SampleNote } from '../site/sample-note.tsx';
import { SitePart } from '../site/site-part.tsx';
import { proofOf } from './proof.ts';

/** Voices and figures: what the settings say, and what an operator stands up for. */
export function Figures({ facts }: { facts: Facts }) {
  const quotes = facts.claims.filter(({ place }) => place === 'quotes');
  const { computed, claimed } = proofOf(facts, 'figures');
  return (
    <SitePart title={quotes.length > 0 ? 'What creators say' : 'In figures'}>
      {quotes.some(({ isSample }) => isSample) && <SampleNote className="-mt-4 mb-7" />}
      {quotes.length > 0 && (
        <ul className="mb-10 grid gap-4 md:grid-cols-3">
          {quotes.map(({ text, by }) => (
            <li key={text} className="grid rounded-card border border-line bg-raised p-6">
              <blockquote className="font-display text-21 leading-snug font-title text-balance">{`“${text}”`}</blockquote>
              <p className="mt-5 self-end text-13 text-quiet">{by}</p>
            </li>
          ))}
        </ul>
      )}
      <FigureRow figures={computed} />
      {claimed.length > 0 && (
        <>
          {claimed.some(({ isSample }) => isSample) && <SampleNote className="mt-10" />}
          <FigureRow figures={claimed} className="mt-7" />
        </>
      )}
    </SitePart>
  );
}

type FigureRowProps = { figures: readonly { figure: string | null; text: string }[]; className?: string };

function FigureRow({ figures, className }: FigureRowProps) {
  return (
    <dl className={cx('grid grid-cols-2 gap-x-6 gap-y-8 sm:grid-cols-3 lg:grid-cols-6', className)}>
      {figures.map(({ figure, text }) => (
        <div key={`${figure} ${text}`} className="flex flex-col-reverse justify-end border-t border-line pt-4">
          <dt className="text-13 text-balance text-quiet">{text}</dt>
          <dd className="font-display text-38 leading-tight font-title">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
