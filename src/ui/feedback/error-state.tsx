import { RotateCw, TriangleAlert } from 'lucide-react';
import { Button } from '#ui/buttons/button.tsx';

type ErrorStateProps = {
  title?: string;
  /** What was thrown: a refusal's message is ready to show; that of a browser without a network is not. */
  error?: Error | null | undefined;
  onRetry?: () => void;
  busy?: boolean;
};

/** A refusal stays one, however often it is asked for; what came too fast may come later. */
function canSucceed(error: (Error & { status?: number }) | null | undefined): boolean {
  const { status = 0 } = error ?? {};
  return status < 400 || status >= 500 || status === 408 || status === 429;
}

/** Something could not be loaded: says so kindly and offers to try again. */
export function ErrorState({ title = "This didn't load", error, onRetry, busy = false }: ErrorStateProps) {
  return (
    <div
      role="alert"
      className="grid justify-items-center gap-3 rounded-card border border-line px-6 py-12 text-center"
    >
      <span className="grid size-13 place-items-center rounded-full bg-rust-wash text-rust">
        <TriangleAlert />
      </span>
      <h2 className="text-21">{title}</h2>
      <p className="max-w-96 text-pretty text-quiet">
        {error && !(error instanceof TypeError) ? error.message : 'Check your connection and try again.'}
      </p>
      {onRetry && canSucceed(error) && (
        <Button variant="outline" icon={RotateCw} busy={busy} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
