import { formatMoney } from '#kit/text.ts';

/** A counter goes up in this many steps. */
const steps = 60;
const countMs = 2000;

/** A sum that is counted up while one looks. @param sceneMs since its scene began */
export function Counter({ cents, sceneMs, delayMs }: { cents: number; sceneMs: number; delayMs: number }) {
  const step = Math.min(steps, Math.max(0, Math.floor(((sceneMs - delayMs) / countMs) * steps)));
  const shown = Math.round((cents * step) / steps / 100) * 100;
  return (
    <>
      <span className="sr-only">{formatMoney(cents)}</span>
      <span aria-hidden="true" className="tabular-nums">
        {formatMoney(shown)}
      </span>
    </>
  );
}
