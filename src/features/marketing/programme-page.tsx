import { Navigate, useLocation } from 'react-router';
import { ApplicationForm } from '#features/affiliates/application-form.tsx';
import { useFacts } from './facts-context.tsx';
import { describeMailbox } from './operator-words.ts';
import { SiteFrame, SiteTitle } from './site/site-frame.tsx';
import { SitePart } from './site/site-part.tsx';
import { metaOf } from './site-pages.ts';
import { describeApplying, listTerms, steps } from './words/programme-words.ts';

export const meta = () => metaOf('/signup');

/** /signup is the programme for people who recommend the place; by somebody's link (`?ref=`) it is another door to the trial. */
export default function ProgrammePage() {
  const search = new URLSearchParams(useLocation().search);
  if (!search.has('ref')) return <Programme />;
  // What came with the address goes along.
  search.set('action', 'signup');
  return <Navigate to={`/auth?${search}`} replace />;
}

function Programme() {
  const facts = useFacts();
  return (
    <SiteFrame>
      <SiteTitle
        title="Recommend what you trust"
        lead="Do you know creators who would sleep better with private albums? Tell them about PrivateFans, and get a share of what their plan costs."
      >
        <p className="mt-7">
          <a
            href="#apply"
            className="inline-flex min-h-13 items-center rounded-control bg-plum px-6 text-17 font-strong text-on-plum transition hover:bg-plum-deep"
          >
            Apply to join
          </a>
        </p>
      </SiteTitle>
      <SitePart title="From here to your link">
        <ol className="grid gap-x-12 gap-y-8 md:grid-cols-3">
          {steps.map(({ title, text }, at) => (
            <li key={title} className="flex gap-5">
              <span aria-hidden="true" className="w-7 flex-none font-display text-38 leading-none font-title text-plum">
                {at + 1}
              </span>
              <div>
                <h3 className="text-21">{title}</h3>
                <p className="mt-1.5 text-quiet">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </SitePart>
      <SitePart title="The terms, in full" band="wash">
        <dl className="grid gap-x-12 gap-y-7 md:grid-cols-2">
          {listTerms(facts).map(({ what, how }) => (
            <div key={what} className="border-t border-edge/40 pt-4">
              <dt className="font-display text-21 font-title">{what}</dt>
              <dd className="mt-1.5 text-quiet">{how}</dd>
            </div>
          ))}
        </dl>
      </SitePart>
      <SitePart id="apply" title="Apply" lead={describeApplying(facts)}>
        <div className="max-w-180 rounded-card border border-line bg-raised p-6 md:p-8">
          <div data-application="">
            <ApplicationForm contact={describeMailbox(facts.operator)} />
          </div>
        </div>
      </SitePart>
    </SiteFrame>
  );
}
