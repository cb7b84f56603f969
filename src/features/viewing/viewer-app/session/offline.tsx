import { WifiOff } from 'lucide-react';

interface OfflineProps {
  /** Nothing may be shown any more. */
  isBlank: boolean;
  onRetry(): void;
}

/** The line is broken: what is on the screen stays as long as it may. */
export function Offline({ isBlank, onRetry }: OfflineProps) {
  return (
    <div className="strip offline" role="status">
      <WifiOff aria-hidden="true" />
      <p>{`No connection – ${isBlank ? 'pictures will come back' : 'trying again'}`}</p>
      <button type="button" className="outline" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
