import { Camera, ImagePlus, Plus } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import type { Elements } from '#kit/elements.ts';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { acceptedFiles } from './upload-rules.ts';
import { usePreparing } from './use-preparing.tsx';

/** Where the focus goes when there is no picture to put it on. */
export const addPhotosId = 'add-photos';

interface PickersProps {
  onFiles: (files: File[]) => void;
  isFirst: boolean;
  /** How many files were chosen a moment ago, while none of them is on its way yet. */
  waiting: number;
  tools: Elements;
}

/** The picker and, on phones, the camera; says so while the phone prepares what was chosen. */
export function Pickers({ onFiles, isFirst, waiting, tools }: PickersProps) {
  const picker = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const preparing = usePreparing(picker);
  const pick = () => {
    picker.current?.click();
    preparing.begin();
  };
  usePlus(pick);
  const take = (input: HTMLInputElement) => {
    preparing.end();
    onFiles([...(input.files ?? [])]);
    input.value = '';
  };
  const buttons = <AddButtons isFirst={isFirst} onPick={pick} onCamera={() => camera.current?.click()} />;
  return (
    <div className="mb-4">
      <HiddenInput ref={picker} accept={acceptedFiles} multiple label="Photos to upload" onTake={take} />
      <HiddenInput ref={camera} accept="image/*" capture="environment" label="Photo from the camera" onTake={take} />
      {isFirst ? (
        <EmptyState
          icon={ImagePlus}
          title="Add your first photos and videos"
          action={<span className="flex flex-wrap justify-center gap-2">{buttons}</span>}
        >
          Location, device and time are removed before anyone sees them.
        </EmptyState>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          {buttons}
          <span className="ml-auto">{tools}</span>
        </div>
      )}
      <PolicyNote />
      <p role="status" className="text-13 text-quiet not-empty:mt-2">
        {preparing.words || (waiting > 0 && `Preparing ${formatCount(waiting, 'item')}…`)}
      </p>
    </div>
  );
}

/** What may be shown here, where it is added. */
function PolicyNote() {
  const policy = useMe().me?.contentPolicy;
  if (policy === undefined) return null;
  return (
    <p className="mt-2 text-13 text-quiet">
      <span>
        {policy === 'adult'
          ? 'For trying only: sexually explicit pictures are allowed here. '
          : 'No sexually explicit pictures. '}
      </span>
      <a href="/acceptable-use" className="underline underline-offset-4 hover:text-ink">
        Content policy
      </a>
    </p>
  );
}

interface AddButtonsProps {
  isFirst: boolean;
  onPick: () => void;
  onCamera: () => void;
}

function AddButtons({ isFirst, onPick, onCamera }: AddButtonsProps) {
  return (
    <>
      <Button id={addPhotosId} icon={Plus} size={isFirst ? 'large' : 'normal'} onClick={onPick}>
        Add photos or videos
      </Button>
      <IconButton icon={Camera} label="Camera" variant="outline" className="md:hidden" onClick={onCamera} />
    </>
  );
}

interface HiddenInputProps {
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  accept: string;
  multiple?: boolean;
  capture?: 'environment';
  onTake: (input: HTMLInputElement) => void;
}

/** Opened by a button: by itself it can be neither seen nor reached. */
function HiddenInput({ ref, label, onTake, ...wanted }: HiddenInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      {...wanted}
      className="sr-only"
      tabIndex={-1}
      aria-label={label}
      onChange={(event) => onTake(event.currentTarget)}
    />
  );
}

/** The "+" above every page leads here with `?add=1`: it opens the picker while the browser still remembers the tap. */
function usePlus(pick: () => void): void {
  const [search, setSearch] = useSearchParams();
  const isAsked = search.has('add');
  const answer = useEffectEvent(() => {
    setSearch({}, { replace: true });
    if (navigator.userActivation?.isActive !== false) pick();
  });
  useEffect(() => {
    if (isAsked) answer();
  }, [isAsked]);
}
