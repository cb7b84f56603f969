import { Ellipsis, Timer } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { canPlayVideos } from '#features/media/browser/video-support.ts';
import { Lightbox } from '../lightbox/lightbox.tsx';
import type { ViewerApp, Visit } from '../viewer-app.ts';
import { KeepHint } from './keep-hint.tsx';
import { MoreSheet } from './more-sheet.tsx';
import { Offline } from './offline.tsx';
import { timeLeftText } from './time-left.ts';
import { useNow } from './use-now.ts';

interface VisitFrameProps {
  app: ViewerApp;
  visit: Visit;
}

/** What stands around the gallery and the open picture of a visit. */
export function VisitFrame({ app, visit }: VisitFrameProps) {
  const { isOffline, isBlank, endsAt, item, warning } = useSyncExternalStore(visit.subscribe, visit.state);
  const [more, setMore] = useState<'menu' | 'access'>();
  useEffect(() => takePicks(app, visit), [app, visit]);
  // Each turn to another picture begins the rest again: what is opened comes before what plays a video.
  useEffect(() => fetchPlayerAtRest(app, visit, item !== undefined), [app, visit, item]);
  const offline = isOffline && <Offline isBlank={isBlank} onRetry={visit.retry} />;
  const isWarned = warning !== undefined && !isOffline;
  // There is room for one line at the lower edge.
  const warned = isWarned && <Warning text={warning} onSeen={() => visit.warn(undefined)} />;
  return (
    <>
      {createPortal(
        <>
          {endsAt !== undefined && <TimeLeft endsAt={endsAt} />}
          <button type="button" className="round" aria-label="More" onClick={() => setMore('menu')}>
            <Ellipsis aria-hidden="true" />
          </button>
        </>,
        app.tools,
      )}
      {item === undefined ? (
        <>
          {offline}
          {warned}
          {!isWarned && !isOffline && (
            <KeepHint
              resumeCode={visit.opened.resumeCode}
              isCovered={more !== undefined}
              onOpen={() => setMore('access')}
            />
          )}
        </>
      ) : (
        <Lightbox app={app} visit={visit} item={item} endsAt={endsAt} onMore={() => setMore('menu')}>
          {offline}
          {warned}
        </Lightbox>
      )}
      {more !== undefined && (
        <MoreSheet
          first={more}
          resumeCode={visit.opened.resumeCode}
          takesRequests={visit.opened.takesRequests === true}
          onClose={() => setMore(undefined)}
        />
      )}
    </>
  );
}

/** Taps on the grid open pictures from now on, one that came too early as well. */
function takePicks(app: ViewerApp, visit: Visit): () => void {
  const pick = (n: number) => {
    performance.mark('pick');
    delete app.picked;
    for (const cell of app.cells) cell.removeAttribute('aria-busy');
    visit.turnTo(n);
  };
  app.onPick = pick;
  if (app.picked !== undefined) pick(app.picked);
  return () => {
    delete app.onPick;
  };
}

/** What plays a video is large: where a link shows one, it comes while somebody rests on something that is all there. */
const restMs = 2000;

function fetchPlayerAtRest(app: ViewerApp, { opened }: Visit, isOpen: boolean): (() => void) | undefined {
  if (!opened.items.some(({ kind }) => kind === 'video') || !canPlayVideos(globalThis as never)) return undefined;
  const isHere = () => !isOpen || document.querySelector('.slide[data-current] canvas.full[data-painted]') !== null;
  const timer = setInterval(() => {
    if (!isHere()) return;
    clearInterval(timer);
    app.loadVideo().catch(() => undefined); // an open video asks again
  }, restMs);
  return () => clearInterval(timer);
}

/** What is said to somebody who tried to copy. */
function Warning({ text, onSeen }: { text: string; onSeen(): void }) {
  return (
    <div className="strip" role="alert">
      <p>{text}</p>
      <button type="button" className="outline" onClick={onSeen}>
        OK
      </button>
    </div>
  );
}

/** The time left, ticking. */
export function TimeLeft({ endsAt }: { endsAt: number }) {
  return (
    <span className="chip" role="timer">
      <Timer aria-hidden="true" />
      <span className="unseen">Time left: </span>
      <span>{timeLeftText(endsAt - useNow(1000))}</span>
    </span>
  );
}
