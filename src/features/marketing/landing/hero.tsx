import { Play } from 'lucide-react';
import { describeTerms } from '#features/settings/plan-words.ts';
import { drawButton } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import type { Facts } from '../contract.ts';
import { SampleNote } from '../site/sample-note.tsx';
import { DemoVideo } from './demo-video.tsx';
import { ProductPicture } from './product-picture.tsx';
import { proofOf } from './proof.ts';
import { describeAction } from './selling-words.ts';

/** The first screen: on a phone its picture takes what is left between the words and the bar at the foot. */
export function Hero({ facts }: { facts: Facts }) {
  const { plan, video } = facts;
  return (
    <>
      <section className="mx-auto flex max-w-290 flex-col gap-x-16 gap-y-7 px-5 pt-5 pb-5 max-md:min-h-[calc(100svh-8.75rem-env(safe-area-inset-top)-env(safe-area-inset-bottom))] md:grid md:min-h-[min(46rem,calc(100svh-4rem))] md:grid-cols-[1.08fr_1fr] md:items-center md:py-10">
        <div>
          <h1 className="text-38 text-balance lg:text-56">
            Secure, <span className="whitespace-nowrap">No-Leak</span> Private Albums
          </h1>
          <p className="mt-4 max-w-130 text-17 text-quiet md:mt-5">
            Share photos and videos through a link that knows who it's for. See who looked. Take it back whenever you
            want.
          </p>
          <div className="mt-6 flex flex-wrap gap-2.5 md:mt-8 md:gap-3">
            <ButtonLink to="/auth?action=signup" size="large" className="max-md:flex-1 max-md:px-2.5 max-md:text-15">
              {describeAction(facts)}
            </ButtonLink>
            <a
              href={video === null ? '#how' : '#demo-video'}
              className={drawButton(
                { variant: 'outline', size: 'large' },
                'max-md:flex-1 max-md:px-2.5 max-md:text-15',
              )}
            >
              <Play />
              <span>{video === null ? 'See how it works' : 'Watch it work'}</span>
            </a>
          </div>
          <p className="mt-4 text-13 text-quiet">{describeTerms(plan)}</p>
          <Proof facts={facts} className="mt-9 max-md:hidden" />
        </div>
        <ProductPicture />
      </section>
      <div className="mx-auto max-w-290 px-5 pt-6 pb-9 md:hidden">
        <Proof facts={facts} />
      </div>
      {video !== null && (
        <section id="demo-video" aria-label="Demo video" className="mx-auto max-w-290 scroll-mt-20 px-5 py-10 md:py-14">
          <DemoVideo video={video} />
        </section>
      )}
    </>
  );
}

/** Three figures that the settings say, and in a line below them what an operator stands up for. */
function Proof({ facts, className }: { facts: Facts; className?: string }) {
  const { computed, claimed } = proofOf(facts, 'hero');
  return (
    <div className={className}>
      <dl className="flex gap-x-7 border-t border-line pt-5 md:gap-x-10">
        {computed.map(({ figure, text }) => (
          <div key={text} className="flex flex-col-reverse justify-end">
            <dt className="text-13 text-balance text-quiet">{text}</dt>
            <dd className="font-display text-28 font-title">{figure}</dd>
          </div>
        ))}
      </dl>
      {claimed.length > 0 && (
        <ul className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-2 text-13 text-quiet">
          {claimed.map(({ figure, text }) => (
            <li key={text} className="flex gap-x-1">
              <span className="font-strong text-ink">{figure}</span>
              <span>{text}</span>
            </li>
          ))}
          {claimed.some(({ isSample }) => isSample) && (
            <li>
              <SampleNote />
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
