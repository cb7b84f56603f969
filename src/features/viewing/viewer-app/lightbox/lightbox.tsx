import { ChevronLeft, ChevronRight, Ellipsis, Hand, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { Elements } from '#kit/elements.ts';
import { stillThere } from '../gallery/remove-items.ts';
import { timeLeftText } from '../session/time-left.ts';
import { useNow } from '../session/use-now.ts';
import { type VideoKeyboard, VideoStand } from '../video/video-view.tsx';
import type { ViewerApp, Visit } from '../viewer-app.ts';
import { Slide } from './slide.tsx';
import type { SwipeTrack } from './swipe-track.ts';
import { useBackButton } from './use-back-button.ts';
import { useModal } from './use-modal.ts';
import { useQuiet } from './use-quiet.ts';
import { useSwipeTrack } from './use-swipe-track.ts';

interface LightboxProps {
  app: ViewerApp;
  visit: Visit;
  item: number;
  endsAt: number | undefined;
  onMore(): void;
  children: Elements;
}

/** The open picture, alone on the screen; what stands around it fades after two seconds and comes back with a touch. */
export function Lightbox({ app, visit, item, endsAt, onMore, children }: LightboxProps) {
  const { items } = visit.opened;
  const there = stillThere(items.length, visit.state().gone);
  const place = there.indexOf(item);
  const close = useBackButton(() => visit.turnTo(undefined), place < 0);
  const dialog = useRef<HTMLDialogElement>(null);

  const [isQuiet, wake, toggle] = useQuiet();
  const track = useSwipeTrack(dialog, visit, { item, there, close, toggle });
  useModal(dialog, app, item);
  const keyboard = useRef<VideoKeyboard>(undefined);
  const label = (n: number) => app.cells[n]?.getAttribute('aria-label') ?? '';
  const picture = items[item];
  const video = picture?.kind === 'video' ? picture : undefined;
  const [isHeld, setHeld] = useState(false);
  return (
    <dialog
      ref={dialog}
      className="item"
      aria-label="Pictures"
      data-quiet={isQuiet && !isHeld ? '' : undefined}
      data-video={video === undefined ? undefined : ''}
      {...listenersOf({ wake, close, keyboard, track })}
    >
      <div className="screen">
        <section className="stage" tabIndex={-1} aria-label={label(item)}>
          <Track app={app} visit={visit} there={there} place={place} label={label} />
        </section>
        {visit.opened.holdToView && <HoldNote />}
        <Head place={place} count={there.length} close={close} onMore={onMore} />
        <Turners isFirst={place === 0} isLast={place === there.length - 1} turn={(step) => track()?.turn(step)} />
        <footer className="chrome foot">
          <p>{picture?.caption}</p>
          {endsAt !== undefined && <Left endsAt={endsAt} />}
        </footer>
        {video && (
          <VideoStand
            key={video.mediaId}
            app={app}
            visit={visit}
            dialog={dialog}
            keyboard={keyboard}
            item={video}
            n={item}
            onHeld={setHeld}
          />
        )}
        <p className="unseen" role="status">
          {label(item)}
        </p>
        {children}
      </div>
    </dialog>
  );
}

interface Listening {
  wake(): void;
  close(): void;
  /** What a key means to the video that is open. */
  keyboard: { readonly current: VideoKeyboard | undefined };
  track(): SwipeTrack | undefined;
}

/** What the dialog listens to. */
const listenersOf = ({ wake, close, keyboard, track }: Listening) => ({
  onCancel(event: { preventDefault(): void }) {
    event.preventDefault();
    close();
  },
  onKeyDown(event: KeyboardEvent) {
    wake();
    const act = event.ctrlKey || event.metaKey ? undefined : (keyboard.current?.(event) ?? actionOf(event, track));
    if (act === undefined) return;
    event.preventDefault();
    act();
  },
  // A finger that moves is a gesture; a mouse that moves looks for the buttons.
  onPointerMove({ pointerType }: PointerEvent) {
    if (pointerType === 'mouse') wake();
  },
  onFocus: wake,
});

interface TrackProps {
  app: ViewerApp;
  visit: Visit;
  there: readonly number[];
  /** Which of them is open. */
  place: number;
  label(n: number): string;
}

/** The open picture and its neighbours; the open one first: its canvas is drawn before theirs. */
function Track({ app, visit, there, place, label }: TrackProps) {
  const around = place < 0 ? [] : [place, place + 1, place - 1].flatMap((at) => there[at] ?? []);
  return (
    <div className="track">
      {around.map((n) => {
        const picture = visit.opened.items[n];
        return picture === undefined ? null : (
          <Slide
            key={n}
            app={app}
            visit={visit}
            item={picture}
            n={n}
            label={label(n)}
            offset={there.indexOf(n) - place}
          />
        );
      })}
    </div>
  );
}

/** Stands where the picture will be, as long as nothing holds it. */
function HoldNote() {
  const isTouched = matchMedia('(pointer: coarse)').matches;
  return (
    <div className="hold-note">
      <p>
        <Hand aria-hidden="true" />
        Hold to view
        <span className="small">
          {isTouched ? 'Keep your finger on the picture.' : 'Keep the mouse button or the H key down.'}
        </span>
      </p>
    </div>
  );
}

interface HeadProps {
  place: number;
  count: number;
  close(): void;
  onMore(): void;
}

function Head({ place, count, close, onMore }: HeadProps) {
  return (
    <header className="chrome head">
      <button type="button" className="round" aria-label="Close" onClick={close}>
        <X aria-hidden="true" />
      </button>
      <span className="figures small" aria-hidden="true">
        {`${place + 1} of ${count}`}
      </span>
      <button type="button" className="round" aria-label="More" onClick={onMore}>
        <Ellipsis aria-hidden="true" />
      </button>
    </header>
  );
}

interface TurnersProps {
  isFirst: boolean;
  isLast: boolean;
  turn(step: 1 | -1): void;
}

function Turners({ isFirst, isLast, turn }: TurnersProps) {
  return (
    <>
      <button
        type="button"
        className="chrome round before"
        aria-label="Previous"
        disabled={isFirst}
        onClick={() => turn(-1)}
      >
        <ChevronLeft aria-hidden="true" />
      </button>
      <button type="button" className="chrome round after" aria-label="Next" disabled={isLast} onClick={() => turn(1)}>
        <ChevronRight aria-hidden="true" />
      </button>
    </>
  );
}

function Left({ endsAt }: { endsAt: number }) {
  return (
    <span className="quiet small figures" role="timer">
      {`${timeLeftText(endsAt - useNow(1000))} left`}
    </span>
  );
}

/** What a key means on an open picture; a button keeps its own space bar, and a line or a choice of the video all its keys. */
function actionOf({ key, target }: KeyboardEvent, track: () => SwipeTrack | undefined): (() => void) | undefined {
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return undefined;
  const isButton = target instanceof HTMLButtonElement;
  if (key === 'ArrowRight' || (key === ' ' && !isButton)) return () => track()?.turn(1);
  if (key === 'ArrowLeft') return () => track()?.turn(-1);
  if (key === '+' || key === '=') return () => track()?.zoom(1.6);
  if (key === '-') return () => track()?.zoom(1 / 1.6);
  return undefined;
}
