import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Brand } from '#ui/brand.tsx';
import { callsOf } from '#wire/client.ts';
import { marketingContract } from './contract.ts';
import { type LegalText, legalVersion, type Operator, unnamedOperator } from './legal-words.ts';
import { SiteFooter } from './site-footer.tsx';

const marketing = callsOf('marketing', marketingContract);

/** A page to be read. It is prerendered without a server: who runs the place is filled in when the server has said so. */
export function LegalFrame({ write }: { write: (operator: Operator) => LegalText }) {
  const { data } = useQuery(marketing.operator.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  const { title, summary, chapters } = write(data ?? unnamedOperator);
  return (
    <div className="pb-[calc(5rem+env(safe-area-inset-bottom))] md:pb-0">
      <a
        href="#main"
        className="fixed top-3 left-3 z-50 -translate-y-20 rounded-control bg-ink px-4 py-3 font-strong text-paper focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <header className="mx-auto max-w-190 px-5 pt-[max(1.25rem,env(safe-area-inset-top))]">
        <Link to="/" aria-label="PrivateFans, home" className="inline-flex min-h-11 items-center">
          <Brand />
        </Link>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto max-w-190 px-5 pt-8 pb-16 outline-none">
        <h1 className="text-38">{title}</h1>
        <p className="mt-2 text-13 text-quiet">{legalVersion}</p>
        <p className="mt-6 text-17 text-balance">{summary}</p>
        {data?.isSandbox && (
          <p className="mt-6 rounded-card bg-plum-wash p-4">
            This installation is a sandbox. It's for trying things out, with play money, on someone's own computer.
          </p>
        )}
        {chapters.map((chapter) => (
          <section key={chapter.title} className="mt-9">
            <h2 className="text-21">{chapter.title}</h2>
            {chapter.paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-3 break-words">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
      </main>
      <SiteFooter />
    </div>
  );
}
