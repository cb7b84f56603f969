import { RotateCw } from 'lucide-react';
import { Button } from '#ui/buttons/button.tsx';

/** What is shown may be old, or is only what can be said without an answer. */
export function CouldntRefresh({ onRetry, busy }: { onRetry: () => void; busy: boolean }) {
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 text-13 text-quiet">
      <span>Couldn't refresh</span>
      <Button variant="bare" icon={RotateCw} busy={busy} onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
