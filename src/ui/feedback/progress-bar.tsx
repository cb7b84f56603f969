type ProgressProps = {
  /** What is under way. */
  label: string;
  /** 0 to 1. */
  done: number;
};

function asPercent(done: number): number {
  return Math.round(Math.min(1, Math.max(0, done)) * 100);
}

/** How far something is, as a line. */
export function ProgressBar({ label, done }: ProgressProps) {
  const percent = asPercent(done);
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      className="block h-1.5 overflow-hidden rounded-full bg-line"
    >
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" className="block size-full">
        <rect width={percent} height="1" className="fill-plum transition-all" />
      </svg>
    </span>
  );
}

/** How far something is, as a ring in the place of what will stand there. */
export function ProgressRing({ label, done }: ProgressProps) {
  const percent = asPercent(done);
  return (
    <span role="progressbar" aria-label={label} aria-valuenow={percent} className="block size-10">
      <svg viewBox="0 0 44 44" aria-hidden="true" className="size-full -rotate-90 fill-none stroke-4">
        <circle cx="22" cy="22" r="19" className="stroke-line" />
        <circle
          cx="22"
          cy="22"
          r="19"
          pathLength="100"
          strokeLinecap="round"
          strokeDasharray={`${percent} 100`}
          className={percent > 0 ? 'stroke-plum transition-all' : 'stroke-transparent'}
        />
      </svg>
    </span>
  );
}
