import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProtectedPhoto } from '#features/media/protected-photo.tsx';
import { formatClock, formatCount, formatLength } from '#kit/text.ts';
import { cx } from '#ui/cx.ts';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { LineChart } from '#ui/figures/line-chart.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import type { Days, VideoSums } from '../contract.ts';
import { insights } from '../insight-calls.tsx';
import { pointsOf } from '../rules.ts';
import { describeTime } from './overview-parts.tsx';
import { VideoStrip } from './video-strip.tsx';

/** The videos that were played, and of one of them who stayed until when; nothing while none was. */
export function Videos({ days }: { days: Days }) {
  const { data } = useQuery(insights.videos.queryOptions({ input: { days } }));
  const [chosen, setChosen] = useState<string>();
  const videos = data?.videos ?? [];
  const video = videos.find(({ mediaId }) => mediaId === chosen) ?? videos[0];
  if (video === undefined) return null;
  return (
    <section>
      <SectionHeader title="Videos" />
      <Card>
        {videos.length > 1 && (
          <ul className="mb-5 grid grid-cols-4 gap-2 md:grid-cols-8">
            {videos.map((each) => (
              <li key={each.mediaId}>
                <VideoChoice video={each} isChosen={each === video} onChoose={() => setChosen(each.mediaId)} />
              </li>
            ))}
          </ul>
        )}
        <VideoFigures video={video} />
        <Retention video={video} days={days} />
      </Card>
    </section>
  );
}

function VideoChoice({ video, isChosen, onChoose }: { video: VideoSums; isChosen: boolean; onChoose(): void }) {
  const { mediaId, thumbhash, width, height, durationMs, plays } = video;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={`Video of ${formatLength(durationMs)}, ${formatCount(plays, 'play')}`}
      onClick={onChoose}
      className={cx('block w-full rounded-photo', isChosen && 'outline-2 outline-offset-2 outline-plum')}
    >
      <ProtectedPhoto
        mediaId={mediaId}
        rendition="posterthumb"
        thumbhash={thumbhash}
        width={width}
        height={height}
        alt=""
        className="aspect-square"
      />
    </button>
  );
}

const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((100 * part) / whole));

function VideoFigures({ video: { plays, completions, watchMs, durationMs } }: { video: VideoSums }) {
  return (
    <p className="mb-4">
      <span className="block font-display text-28 font-title tabular-nums lining-nums">
        {formatCount(plays, 'play')}
      </span>
      <span className="block text-quiet tabular-nums">
        {`${shareOf(completions, plays)}% watched to the end · ${describeTime(watchMs)} in total · ${formatLength(durationMs)} long`}
      </span>
    </p>
  );
}

/** The share of plays that showed each moment of a video, over what was to be seen there. */
function Retention({ video, days }: { video: VideoSums; days: Days }) {
  const { mediaId } = video;
  const { data } = useQuery(insights.retention.queryOptions({ input: { mediaId, days } }));
  if (data === undefined) return <Skeleton className="h-64 rounded-card" />;
  return (
    <>
      <LineChart
        label="Still watching"
        by="moment"
        points={pointsOf(data.seconds).map(({ second, value }) => ({
          day: formatClock(second * 1000),
          value: shareOf(value, data.plays),
        }))}
        formatValue={(share) => `${share}%`}
      />
      <VideoStrip video={video} />
    </>
  );
}
