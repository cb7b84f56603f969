import { useEffect, useRef, useState } from 'react';
import { isRouteErrorResponse } from 'react-router';
import { isFailedChunk, takeReload } from '#app/pages/failed-chunk.ts';
import NotFoundPage from '#app/pages/not-found-page.tsx';
import { reportError } from '#features/support/error-watch.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { FullSpinner } from '#ui/feedback/full-spinner.tsx';

/** What stands in place of a page that broke: a missing part of the program reloads once, anything else says so kindly. */
export function AppFailure({ error }: { error: unknown }) {
  const isPartMissing = isFailedChunk(error);
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  const [isReloading, setReloading] = useState(isPartMissing);
  const hasTried = useRef(false);
  useEffect(() => {
    if (!isPartMissing || hasTried.current) return;
    hasTried.current = true;
    if (takeReload(() => window.sessionStorage, readBuild())) window.location.reload();
    else setReloading(false);
  }, [isPartMissing]);
  useEffect(() => {
    if (!isPartMissing && !isMissing) void reportError(error, 'page');
  }, [error, isPartMissing, isMissing]);
  if (isReloading) return <FullSpinner text="Loading app..." />;
  if (isMissing) return <NotFoundPage />;
  return (
    <main
      id="main"
      className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 pb-24 text-center md:pb-6"
    >
      <h1 className="text-28 md:text-38">{isPartMissing ? describeMissing() : 'Something went wrong on this page'}</h1>
      <p className="max-w-96 text-balance text-quiet">
        {isPartMissing
          ? 'Everything you saved is safe. Check your connection and try again.'
          : 'Everything you saved is safe. Try again, or go back to Home if it keeps happening.'}
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button onClick={() => window.location.reload()}>Try again</Button>
        <Button variant="outline" onClick={() => window.location.assign('/')}>
          Return to Home
        </Button>
      </div>
    </main>
  );
}

/** The app opens without a connection, with those parts that were used before. */
const describeMissing = () => (navigator.onLine ? "Part of this page didn't load" : "You're offline");

/** Returns which build these pages are of, as React Router's manifest names it. */
function readBuild(): string {
  const { __reactRouterManifest: manifest } = window as { __reactRouterManifest?: { version?: string } };
  return manifest?.version ?? '';
}
