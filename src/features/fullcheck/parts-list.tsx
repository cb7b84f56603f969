import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { useFacts } from '#features/marketing/facts-context.tsx';
import type { Elements } from '#kit/elements.ts';
import { Brand } from '#ui/brand.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import type { BrowserPart } from './browser/browser-parts.ts';

interface Seen {
  title: string;
  isFine: boolean;
  said: string;
}

async function lookAt({ title, look }: BrowserPart): Promise<Seen> {
  try {
    return { title, isFine: true, said: await look() };
  } catch (error) {
    return { title, isFine: false, said: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns whether the parts of the full check for one browser are shown: in a sandbox, and to administrators. */
export function useMayCheck(): boolean {
  const { me } = useMe();
  return useFacts().isSandbox || me?.isAdmin === true;
}

/** A page with one part of the full check, made in this very browser. */
export function PartsPage({
  name,
  title,
  facts,
  parts,
  children,
}: {
  name: string;
  title: string;
  facts: string;
  parts: readonly BrowserPart[];
  /** What stands below the parts. */
  children?: Elements;
}) {
  const query = useQuery({
    queryKey: ['full check', name],
    queryFn: () => Promise.all(parts.map(lookAt)),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <div className="mx-auto max-w-170 px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-24">
      <Brand />
      <main id="main" className="mt-8 grid gap-5">
        <header className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-28 md:text-38">{title}</h1>
          <Button variant="outline" busy={query.isFetching} onClick={() => void query.refetch()}>
            Look again
          </Button>
          <p className="basis-full text-quiet">{facts}</p>
        </header>
        {query.data === undefined ? <SkeletonRows label="Looking at this browser" /> : <Parts seen={query.data} />}
        {children}
      </main>
    </div>
  );
}

const Parts = ({ seen }: { seen: readonly Seen[] }): ReactNode => (
  <ul aria-label="Parts" className="rounded-card border border-line bg-raised [&>li+li]:border-t [&>li+li]:border-line">
    {seen.map(({ title, isFine, said }) => (
      <li key={title} className="flex gap-3 px-4 py-3">
        <span className="mt-0.5 flex-none">
          {isFine ? (
            <CircleCheck role="img" aria-label="Passed" className="text-moss" />
          ) : (
            <CircleX role="img" aria-label="Failed" className="text-rust" />
          )}
        </span>
        <span className="min-w-0">
          <span className="block font-medium">{title}</span>
          <span className="block text-13 text-quiet wrap-anywhere">{said}</span>
        </span>
      </li>
    ))}
  </ul>
);
