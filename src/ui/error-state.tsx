import { RotateCw, TriangleAlert } from 'lucide-react';
import { Button } from '#ui/button.tsx';

type ErrorStateProps = {
  title?: string;
  /** What happened and what it means, ready to show: a refusal's own message. */
  message?: string | undefined;
  onRetry?: () => void;
  busy?: boolean;
};

/** Something could not be loaded: says so kindly and offers to try again. */
export function ErrorState({
  title = "This didn't load",
  message = 'Check your connection and try again.',
  onRetry,
  busy = false,
}: ErrorStateProps) {
  return (
    <div
      role="alert"
      className="grid justify-items-center gap-3 rounded-card border border-line px-6 py-12 text-center"
    >
      <span className="grid size-13 place-items-center rounded-full bg-rust-wash text-rust">
        <TriangleAlert />
      </span>
      <h2 className="text-21">{title}</h2>
      <p className="max-w-96 text-quiet">{message}</p>
      {onRetry && (
        <Button variant="outline" icon={RotateCw} busy={busy} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
