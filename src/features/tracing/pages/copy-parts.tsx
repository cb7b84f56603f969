import type { Ref } from 'react';
import { Button } from '#ui/button.tsx';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { acceptedCopies } from './copy-rules.ts';

/** How far a copy is on its way, and what stops it. @param share 0 to 1 */
export function CopyProgress({ share, cancel }: { share: number; cancel(): void }) {
  return (
    <>
      <ProgressBar label="Upload progress" done={share} />
      <Button variant="outline" className="justify-self-start" onClick={cancel}>
        Cancel
      </Button>
    </>
  );
}

interface CopyInputProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  onChosen(files: File[]): void;
}

/** Where the system lets a copy be chosen; a button of the page opens it. */
export function CopyInput({ ref, label, onChosen }: CopyInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept={acceptedCopies}
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      onChange={({ target }) => {
        onChosen([...(target.files ?? [])]);
        target.value = '';
      }}
    />
  );
}

/** Why a copy was not taken. */
export function CopyFault({ fault }: { fault: string | undefined }) {
  if (!fault) return null;
  return (
    <p role="alert" className="rounded-control bg-rust-wash px-4 py-3 text-rust">
      {fault}
    </p>
  );
}
