import type { Ref } from 'react';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { acceptedCopies } from './copy-rules.ts';
import type { CopyCosts } from './send-copy.tsx';

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

/** What a copy costs before it is taken, and the way to credits where there are too few. */
export function CopyCost({ costs, agree }: { costs: CopyCosts | undefined; agree(): void }) {
  if (costs === undefined) return null;
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-control bg-plum-wash px-4 py-3">
      <p>{costs.message}</p>
      {costs.canPay ? (
        <Button onClick={agree}>{`Use ${formatCount(costs.credits, 'credit')}`}</Button>
      ) : (
        <ButtonLink to="/pricing?tab=credits" variant="outline">
          Buy credits
        </ButtonLink>
      )}
    </div>
  );
}
