import { WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';

/** The line is broken: what is on the screen stays as long as it may. */
export function Offline({ onRetry }: { onRetry(): void }) {
  return (
    <div className="strip offline" role="status">
      <WifiOff aria-hidden="true" />
      <p>No connection. Pictures come back with it.</p>
      <button type="button" className="outline" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

/** Nobody moved for five minutes: the pictures are closed, and no time is used up. */
export function StillThere({ onGoOn }: { onGoOn(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="sheet asking" aria-labelledby="still" onCancel={onGoOn}>
      <div className="sheet-body">
        <h2 id="still">Still there?</h2>
        <p className="quiet">The pictures are closed, and your time stands still.</p>
        <button type="button" className="primary" onClick={onGoOn}>
          Show them again
        </button>
      </div>
    </dialog>
  );
}
