import { FileSearch } from 'lucide-react';
import { type DragEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import { formatBytes, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { cx } from '#ui/cx.ts';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Card } from '#ui/layout/card.tsx';
import { CopyCost, CopyFault, CopyInput, CopyProgress } from './copy-parts.tsx';
import { clipForms, copyForms } from './copy-rules.ts';
import { useCopy } from './use-copy.tsx';

interface CopyUploadProps {
  albumId: string;
  title: string;
  /** What it is for. */
  children: ReactNode;
  /** The name of the album, where it may also be compared with all others. */
  albumName?: string;
  /** Another copy of the same leak, with which this one is weighed. */
  withId?: string;
}

/** The place where a leaked copy is submitted: chosen or dropped. */
export function CopyUpload({ albumId, title, children, albumName, withId }: CopyUploadProps) {
  const titleId = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isEverywhere, setEverywhere] = useState(false);
  const [isOver, setOver] = useState(false);
  const { send, cancel, share, fault, costs, agree, isCancelled, most } = useCopy(albumId, () => ({
    albumId: isEverywhere ? undefined : albumId,
    with: withId,
  }));
  // The button that was left by the progress is there again.
  useEffect(() => {
    if (isCancelled) button.current?.focus();
  }, [isCancelled]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void send([...event.dataTransfer.files]);
  };
  return (
    <Card
      aria-labelledby={titleId}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(event.dataTransfer.types.includes('Files'));
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx('grid gap-3', isOver && 'outline-2 outline-dashed outline-offset-4 outline-plum')}
    >
      <h2 id={titleId} className="text-21">
        {title}
      </h2>
      <p className="max-w-160 text-quiet">{children}</p>
      {share === undefined ? (
        <CopyChoice
          ref={button}
          albumName={albumName}
          isEverywhere={isEverywhere}
          setEverywhere={setEverywhere}
          choose={() => input.current?.click()}
          most={most}
        />
      ) : (
        <div className="grid gap-3">
          <span>{share < 1 ? `Uploading the copy: ${Math.round(100 * share)}%` : 'Copy uploaded'}</span>
          <CopyProgress share={share} cancel={cancel} />
        </div>
      )}
      <span role="status" className="sr-only">
        {describeUpload(share, isCancelled)}
      </span>
      <CopyInput ref={input} label="The leaked copy" onChosen={(files) => void send(files)} />
      <CopyFault fault={fault} />
      <CopyCost costs={costs} agree={agree} />
    </Card>
  );
}

interface CopyChoiceProps {
  ref: Ref<HTMLButtonElement>;
  albumName: string | undefined;
  isEverywhere: boolean;
  setEverywhere(isEverywhere: boolean): void;
  /** Opens what the system chooses files with. */
  choose(): void;
  most: { photoBytes: number; clipBytes: number; clipMinutes: number };
}

/** How a copy is chosen, and what it may be. */
function CopyChoice({ ref, albumName, isEverywhere, setEverywhere, choose, most }: CopyChoiceProps) {
  return (
    <>
      {albumName !== undefined && (
        <Checkbox
          label={`Compare it with all my albums, not just “${isolate(albumName)}”`}
          checked={isEverywhere}
          onChange={setEverywhere}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button ref={ref} icon={FileSearch} onClick={choose}>
          Choose a file
        </Button>
        <span className="text-13 text-quiet">
          {`A photo or a screenshot (${copyForms}), up to ${formatBytes(most.photoBytes)}, or a clip (${clipForms}), up to ${formatBytes(most.clipBytes)} and ${most.clipMinutes} minutes. It's deleted after 30 days.`}
        </span>
      </div>
    </>
  );
}

/** What is said aloud: that it begins and how it ends, not each percent. */
function describeUpload(share: number | undefined, isCancelled: boolean): string {
  if (share === undefined) return isCancelled ? 'The upload was canceled.' : '';
  return share < 1 ? 'Uploading the copy' : 'Copy uploaded';
}
