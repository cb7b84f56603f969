import { FileSearch } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { cx } from '#ui/cx.ts';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { type Sending, sendCopy } from './send-copy.tsx';
import { leaksOf } from './trace-calls.tsx';

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

/** The place where a leaked copy is handed in: chosen or dropped. */
export function CopyUpload({ albumId, title, children, albumName, withId }: CopyUploadProps) {
  const go = useNavigate();
  const titleId = useId();
  const input = useRef<HTMLInputElement>(null);
  const sending = useRef<Sending>(undefined);
  const [share, setShare] = useState<number>();
  const [fault, setFault] = useState<string>();
  const [isEverywhere, setEverywhere] = useState(false);
  const [isOver, setOver] = useState(false);
  useEffect(() => () => sending.current?.cancel(), []);
  const send = async (file: File | undefined) => {
    if (file === undefined || share !== undefined) return;
    setFault(undefined);
    setShare(0);
    sending.current = sendCopy(file, { albumId: isEverywhere ? undefined : albumId, with: withId }, setShare);
    try {
      const traceId = await sending.current.arrived;
      await go(`${leaksOf(albumId)}/${traceId}`);
    } catch (error) {
      setFault(error instanceof Error ? error.message : undefined);
      setShare(undefined);
    }
  };
  const cancel = () => {
    sending.current?.cancel();
    setShare(undefined);
    input.current?.focus();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void send(event.dataTransfer.files[0]);
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
        <>
          {albumName !== undefined && (
            <Checkbox
              label={`Compare it with all my albums, not only with “${albumName}”`}
              checked={isEverywhere}
              onChange={setEverywhere}
            />
          )}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button icon={FileSearch} onClick={() => input.current?.click()}>
              Choose the copy
            </Button>
            <span className="text-13 text-quiet">A photo or a screenshot; it is deleted after 30 days.</span>
          </div>
        </>
      ) : (
        <div className="grid gap-3" role="status">
          <span>{share < 1 ? `Uploading the copy: ${Math.round(100 * share)} %` : 'The copy is here'}</span>
          <ProgressBar label="Upload of the copy" done={share} />
          <Button variant="outline" className="justify-self-start" onClick={cancel}>
            Cancel
          </Button>
        </div>
      )}
      <input
        ref={input}
        type="file"
        accept="image/*,.heic,.heif"
        aria-label="The leaked copy"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          void send(target.files?.[0]);
          target.value = '';
        }}
      />
      {fault && (
        <p role="alert" className="rounded-control bg-rust-wash px-4 py-3 text-rust">
          {fault}
        </p>
      )}
    </Card>
  );
}
