import { Spinner } from '#ui/feedback/spinner.tsx';

/** The whole screen waits, and says for what. */
export function FullSpinner({ text }: { text: string }) {
  return (
    <div role="status" className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 text-quiet">
      <Spinner className="size-8 text-plum" />
      <p>{text}</p>
    </div>
  );
}
