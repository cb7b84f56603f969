import { useEffect, useState } from 'react';
import { isRouteErrorResponse } from 'react-router';
import { isFailedChunk, reloadMark } from '#app/failed-chunk.ts';
import NotFoundPage from '#app/not-found-page.tsx';
import { Button } from '#ui/button.tsx';
import { FullSpinner } from '#ui/full-spinner.tsx';

/** What stands in place of a page that broke: a new version reloads once, anything else says so kindly. */
export function AppFailure({ error }: { error: unknown }) {
  const message = error instanceof Error ? error.message : '';
  const [isReloading] = useState(() => isFailedChunk(error) && !hasReloadedFor(message));
  useEffect(() => {
    if (isReloading) reloadFor(message);
  }, [isReloading, message]);
  if (isReloading) return <FullSpinner text="Loading app..." />;
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  return (
    <main id="main" className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 text-center">
      <h1 className="text-28 md:text-38">Something went wrong on this page</h1>
      <p className="max-w-96 text-quiet">
        Nothing you saved is lost. Load the page again; if it happens once more, go back to Home.
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button onClick={() => window.location.reload()}>Load again</Button>
        <Button variant="outline" onClick={() => window.location.assign('/')}>
          Return to Home
        </Button>
      </div>
    </main>
  );
}

/** Private windows may refuse storage; then nothing is reloaded by itself. */
function hasReloadedFor(message: string): boolean {
  try {
    return window.sessionStorage.getItem(reloadMark) === message;
  } catch {
    return true;
  }
}

function reloadFor(message: string): void {
  window.sessionStorage.setItem(reloadMark, message);
  window.location.reload();
}
