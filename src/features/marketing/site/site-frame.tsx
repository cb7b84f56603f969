import type { ReactNode } from 'react';
import { SiteStrip } from '#features/settings/site-strip.tsx';
import type { Elements } from '#kit/elements.ts';
import { useFacts } from '../facts-context.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';

/** The frame of a public page: head, foot, and room for the bar of a phone. */
export function SiteFrame({ ways, children }: { ways?: ReactNode; children: ReactNode }) {
  return (
    <div data-public="" className="pb-[calc(5rem+env(safe-area-inset-bottom))] md:pb-0">
      <SiteNotice />
      <SiteHeader>{ways}</SiteHeader>
      <main id="main" tabIndex={-1} className="outline-none">
        {children}
      </main>
      <SiteFooter />
    </div>
  );
}

/** What the operator says above every public page. */
function SiteNotice() {
  const { site } = useFacts();
  if (site.banner === '' && !site.isMaintenance) return null;
  return (
    <div className="mx-auto max-w-290 px-5 pt-4">
      <SiteStrip site={site} />
    </div>
  );
}

/** The first words of a page that is not the home page. */
export function SiteTitle({ title, lead, children }: { title: string; lead: ReactNode; children?: Elements }) {
  return (
    <section className="mx-auto max-w-290 px-5 pt-9 pb-4 md:pt-16 md:pb-8">
      <h1 className="max-w-200 text-38 text-balance md:text-56">{title}</h1>
      <p className="mt-5 max-w-160 text-17 text-quiet md:text-21">{lead}</p>
      {children}
    </section>
  );
}
