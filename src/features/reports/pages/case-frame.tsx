import { ORPCError } from '@orpc/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Elements } from '#kit/elements.ts';
import { Brand } from '#ui/brand.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';

/** The frame of the page of a case: the name, one title, one thing below it. */
export function CaseFrame({ title, text, children }: { title: string; text?: string; children: Elements }) {
  return (
    <div className="mx-auto grid min-h-dvh max-w-140 content-start gap-6 px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-[calc(7rem+env(safe-area-inset-bottom))]">
      <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center justify-self-start">
        <Brand />
      </Link>
      <main id="main" tabIndex={-1} className="grid gap-6 pt-6 outline-none">
        <header className="grid gap-2">
          <h1 className="text-28 text-balance md:text-38">{title}</h1>
          {text !== undefined && <p className="text-quiet">{text}</p>}
        </header>
        {children}
      </main>
    </div>
  );
}

/** What stands in the place of a case that is not here: it comes, it is gone, or it could not be read. */
export function NotHere({ query }: { query: UseQueryResult<unknown> }) {
  const { error, isPending } = query;
  if (isPending)
    return (
      <CaseFrame title="Where it stands">
        <Spinner className="mx-auto my-10 size-6" />
      </CaseFrame>
    );
  return error instanceof ORPCError && error.code === 'GONE' ? (
    <CaseFrame title="This link doesn't work any more" text="Look for a newer email, and open the link in that.">
      {null}
    </CaseFrame>
  ) : (
    <CaseFrame title="Where it stands">
      <ErrorState error={error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
    </CaseFrame>
  );
}
