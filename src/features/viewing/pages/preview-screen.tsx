import { EyeOff, RotateCcw, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Select } from '#ui/forms/select.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import type { PreviewId, ViewerPreview } from '../preview/preview-contract.ts';
import { MessengerCard } from './messenger-card.tsx';

/** A screen that can be picked; the door stands before all of them. */
type ScreenId = PreviewId | 'DOOR';

interface ScreenProps {
  preview: ViewerPreview;
  /** Of the viewer's page. */
  address: string;
  /** Where the preview was opened. */
  closesTo: string;
}

const groups = ['way', 'shut', 'over', 'trouble'] as const;

/** All screens in the order in which they are met, the gallery behind its gates. */
function listScreens({ states }: ViewerPreview): { value: ScreenId; label: string }[] {
  const sorted = groups.flatMap((group) => states.filter((state) => state.group === group));
  return [{ value: 'DOOR', label: 'First page' }, ...sorted.map(({ id, label }) => ({ value: id, label }))];
}

/** The viewer's own page in a frame, with a picker of all that it may show and the card in a chat beside it. */
export function PreviewScreen({ preview, address, closesTo }: ScreenProps) {
  const [picked, setPicked] = useState<{ screen: ScreenId; turn: number }>({ screen: 'DOOR', turn: 0 });
  const { frame, shown, staysOnLink } = useSaid(picked);
  const pick = (screen: ScreenId) => setPicked(({ turn }) => ({ screen, turn: turn + 1 }));
  const now = preview.states.find(({ id }) => id === preview.now)?.label ?? '';
  return (
    <>
      <PageHeader
        title="What will they see?"
        actions={
          <ButtonLink to={closesTo} variant="outline" icon={X}>
            Close preview
          </ButtonLink>
        }
      />
      <div className="grid gap-5 md:grid-cols-[minmax(0,24.5rem)_minmax(0,1fr)] md:grid-rows-[auto_1fr] md:items-start">
        <div className="grid gap-3 md:col-start-2">
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <Chip tone="plain" icon={EyeOff}>
              Preview – nothing is counted
            </Chip>
            <Button variant="bare" icon={RotateCcw} onClick={() => pick('DOOR')}>
              Start over
            </Button>
          </div>
          <Select
            label="Screen"
            hint="The buttons below lead on as well, whatever is typed."
            options={listScreens(preview)}
            value={shown}
            onChange={pick}
          />
          <p role="status" className="text-13 text-quiet empty:hidden">
            {staysOnLink && 'Links lead nowhere in a preview.'}
          </p>
        </div>
        <iframe
          key={picked.turn}
          ref={frame}
          title="What a viewer sees"
          src={`${address}?show=${picked.screen}`}
          className="h-[calc(100dvh-9rem)] max-h-211 min-h-120 w-full rounded-sheet border border-line bg-ink md:col-start-1 md:row-span-2 md:row-start-1"
        />
        <div className="grid gap-5 md:col-start-2">
          <p className="text-quiet">{`Just now it begins like this for somebody new: ${now}.`}</p>
          <MessengerCard slug={preview.slug} />
        </div>
      </div>
    </>
  );
}

/** What the page in the frame tells: which screen it shows by now, and that somebody tapped a link. */
function useSaid(picked: { screen: ScreenId; turn: number }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [said, setSaid] = useState({ turn: 0, shown: picked.screen, staysOnLink: false });
  const { turn } = picked;
  useEffect(() => {
    const onMessage = ({ origin, source, data }: MessageEvent) => {
      if (origin !== location.origin || source !== frame.current?.contentWindow || data?.preview === undefined) return;
      const { shows } = data.preview as { shows?: ScreenId };
      setSaid(({ shown }) => ({ turn, shown: shows ?? shown, staysOnLink: shows === undefined }));
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [turn]);
  const isCurrent = said.turn === turn;
  return { frame, shown: isCurrent ? said.shown : picked.screen, staysOnLink: isCurrent && said.staysOnLink };
}

/** While the screens are being read. */
export function PreviewComing() {
  return (
    <div className="grid gap-4" aria-busy="true">
      <Skeleton className="h-10 w-72" />
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-120 w-full rounded-sheet" />
    </div>
  );
}
