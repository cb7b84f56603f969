import { WifiOff } from 'lucide-react';

/** The line is broken: what is on the screen stays as long as it may. */
export function Offline({ onRetry }: { onRetry(): void }) {
  return (
    <div className="strip offline" role="status">
      <WifiOff aria-hidden="true" />
      <p>No connection – trying again</p>
      <button type="button" className="outline" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
