import { Play } from 'lucide-react';
import { Button } from '#ui/buttons/button.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { LiveDot } from '#ui/live-dot.tsx';
import type { WatchedPulse } from './use-pulse.tsx';

/** The header of a page that watches the pulse: that it does, or that it has paused, and how it goes on. */
export function WatchedHeader({
  title,
  facts,
  isPaused,
  goOn,
}: Pick<WatchedPulse, 'isPaused' | 'goOn'> & { title: string; facts: string }) {
  return (
    <PageHeader
      title={title}
      facts={
        isPaused ? (
          'Paused after ten minutes.'
        ) : (
          <span className="inline-flex items-center gap-2">
            <LiveDot />
            <span>{facts}</span>
          </span>
        )
      }
      actions={
        isPaused && (
          <Button variant="outline" icon={Play} onClick={goOn}>
            Look again
          </Button>
        )
      }
    />
  );
}
