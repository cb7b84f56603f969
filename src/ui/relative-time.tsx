import { formatMoment, formatTimeAgo } from '#kit/time.ts';
import { useNow } from '#ui/clock.ts';

/** "9m ago", kept true while it is on the screen; the exact time is its tooltip. */
export function RelativeTime({ at }: { at: Date }) {
  const now = useNow();
  return (
    <time dateTime={at.toISOString()} title={formatMoment(at, now)}>
      {formatTimeAgo(at, now)}
    </time>
  );
}
