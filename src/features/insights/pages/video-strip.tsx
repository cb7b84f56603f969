import { useEffect, useRef } from 'react';
import { previewLoader } from '#features/media/browser/preview-loader.ts';
import { cellAt, sheetColumns, sheetRows } from '#features/media/storyboard.ts';
import type { VideoSums } from '../contract.ts';
import { momentsOf } from '../rules.ts';

/** Cells of the strip, evenly over the video. */
const stripCells = 6;
const cellPx = 160;

/** Moments of a video side by side, under its curve: drawn from its encrypted storyboard, like every picture of theirs. */
export function VideoStrip({ video }: { video: VideoSums }) {
  const strip = useRef<HTMLCanvasElement>(null);
  const { mediaId, durationMs, cellSeconds, width, height } = video;
  const cellHeight = Math.round((cellPx * Math.min(height, 2 * width)) / width);
  useEffect(() => {
    const sheet = document.createElement('canvas');
    return previewLoader().show({ mediaId, rendition: 'storyboard' }, sheet, (shown) => {
      // The worker's picture is on its canvas with the next frame.
      if (shown === 'all')
        requestAnimationFrame(() =>
          requestAnimationFrame(() => cutStrip(sheet, strip.current, { durationMs, cellSeconds })),
        );
    });
  }, [mediaId, durationMs, cellSeconds]);
  return (
    <div aria-hidden="true" className="mt-2">
      <canvas
        ref={strip}
        width={stripCells * cellPx}
        height={cellHeight}
        className="w-full rounded-photo bg-line"
        onContextMenu={(event) => event.preventDefault()}
      />
    </div>
  );
}

function cutStrip(
  sheet: HTMLCanvasElement,
  strip: HTMLCanvasElement | null,
  { durationMs, cellSeconds }: Pick<VideoSums, 'durationMs' | 'cellSeconds'>,
): void {
  const pen = strip?.getContext('2d');
  if (strip === null || pen === null || pen === undefined) return;
  const [cellWidth, cellHeight] = [sheet.width / sheetColumns, sheet.height / sheetRows];
  for (const [n, second] of momentsOf(durationMs, stripCells).entries()) {
    const { column, row } = cellAt(second, cellSeconds);
    const from = [column * cellWidth, row * cellHeight, cellWidth, cellHeight] as const;
    pen.drawImage(sheet, ...from, n * cellPx, 0, cellPx, strip.height);
  }
}
