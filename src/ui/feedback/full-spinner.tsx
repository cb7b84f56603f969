import { Spinner } from '#ui/feedback/spinner.tsx';

/** The whole screen waits, and says for what; after ten seconds it offers another try, by CSS alone, for the script may be what is late. */
export function FullSpinner({ text }: { text: string }) {
  return (
    <div role="status" className="grid min-h-dvh place-content-center p-6 text-quiet">
      <div className="relative grid justify-items-center gap-4">
        <Spinner className="size-8 text-plum" />
        <p>{text}</p>
        <div className="absolute top-full grid w-72 animate-late justify-items-center pt-4 text-center">
          <p className="text-balance">This is taking longer than it should. Check your connection and try again.</p>
          {/* biome-ignore lint/a11y/useValidAnchor: an empty address is this page as it is, and needs no script */}
          <a href="" className="flex min-h-11 items-center font-medium text-plum underline underline-offset-3">
            Try again
          </a>
        </div>
      </div>
    </div>
  );
}
