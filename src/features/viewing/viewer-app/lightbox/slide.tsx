import { useEffect, useRef } from 'react';
import type { ViewItem } from '../../contract.ts';
import type { ViewerApp, Visit } from '../viewer-app.ts';
import { showPicture } from './slide-canvases.ts';

interface SlideProps {
  app: ViewerApp;
  visit: Visit;
  item: ViewItem;
  n: number;
  label: string;
  /** How many slides to the right of the open one. */
  offset: number;
}

/** One full picture: its colours, then its thumbnail, then its sharp rows as they come. */
export function Slide({ app, visit, item, n, label, offset }: SlideProps) {
  const host = useRef<HTMLDivElement>(null);
  const isCurrent = offset === 0;
  useEffect(() => (host.current === null ? undefined : showPicture(host.current, app, visit, n)), [app, visit, n]);
  const ratio = item.width / item.height;
  return (
    <div
      className="slide"
      style={{ transform: `translateX(${offset * 100}%)` }}
      data-current={isCurrent ? '' : undefined}
    >
      <div
        ref={host}
        className="zoom"
        role="img"
        aria-label={label}
        aria-hidden={!isCurrent}
        style={{
          aspectRatio: `${item.width} / ${item.height}`,
          width: `min(100%, calc(100vh * ${ratio}), calc(100dvh * ${ratio}))`,
        }}
      />
    </div>
  );
}
