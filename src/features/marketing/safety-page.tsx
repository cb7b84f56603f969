import { Check, ExternalLink, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFacts } from './facts-context.tsx';
import { Closing } from './site/closing.tsx';
import { SiteFrame, SiteTitle } from './site/site-frame.tsx';
import { SitePart } from './site/site-part.tsx';
import { metaOf } from './site-pages.ts';
import { hotlines, leakSteps, listCan, listCannot } from './words/safety-words.ts';

export const meta = () => metaOf('/creator-safety');

/** What protects a creator, what cannot, and what to do when something has happened. */
export default function SafetyPage() {
  const { limits } = useFacts();
  return (
    <SiteFrame>
      <SiteTitle
        title="Your safety comes first"
        lead="What PrivateFans does for you, what no website can do, and what to do if something has leaked."
      >
        <p className="mt-7">
          <a
            href="#leaked"
            className="inline-flex min-h-13 items-center rounded-control border border-line bg-raised px-6 text-17 font-strong transition hover:border-edge"
          >
            Something has leaked
          </a>
        </p>
      </SiteTitle>
      <SitePart title="What we do, and what we can't">
        <div className="grid gap-4 md:grid-cols-2">
          <Points title="What we do" points={listCan(limits)} icon={<Check className="mt-0.5 text-moss" />} />
          <Points title="What no website can do" points={listCannot} icon={<X className="mt-0.5 text-rust" />} />
        </div>
      </SitePart>
      <SitePart
        id="leaked"
        title="If something has leaked"
        band="wash"
        lead="It is not your fault. You don't have to do all of this, and you don't have to do it alone."
      >
        <LeakSteps />
      </SitePart>
      <SitePart
        title="People who help"
        lead="Free, confidential, and independent of us. If you are in danger right now, call your local emergency number."
      >
        <Hotlines />
        <p className="mt-6 text-quiet">Numbers and hours change; the websites are always the safer place to look.</p>
      </SitePart>
      <Closing />
    </SiteFrame>
  );
}

function Points({ title, points, icon }: { title: string; points: readonly string[]; icon: ReactNode }) {
  return (
    <section className="rounded-card border border-line bg-raised p-6 md:p-8">
      <h3 className="text-21">{title}</h3>
      <ul className="mt-5 grid gap-3.5">
        {points.map((point) => (
          <li key={point} className="flex gap-3">
            <span className="contents">{icon}</span>
            <span>{point}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LeakSteps() {
  return (
    <ol className="grid gap-x-12 gap-y-8 md:grid-cols-2">
      {leakSteps.map(({ title, text }, at) => (
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
  );
}

function Hotlines() {
  return (
    <ul className="grid gap-4 md:grid-cols-2">
      {hotlines.map(({ name, href, text, phone }) => (
        <li key={name} className="grid content-start rounded-card border border-line bg-raised p-6">
          <h3 className="text-21">{name}</h3>
          <p className="mt-1.5 text-quiet">{text}</p>
          <p className="mt-3 flex flex-wrap gap-x-6">
            <a
              href={href}
              rel="noreferrer"
              className="inline-flex min-h-11 items-center gap-2 font-strong text-plum underline-offset-4 hover:underline"
            >
              <span>{new URL(href).host.replace('www.', '')}</span>
              <ExternalLink />
            </a>
            {phone !== undefined && (
              <a
                href={`tel:${phone.number}`}
                className="inline-flex min-h-11 items-center font-strong text-plum tabular-nums underline-offset-4 hover:underline"
              >
                {phone.shown}
              </a>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
