import { useEffect, useRef, useState } from 'react';
import { countAt, counterSteps } from '#ui/figures/counter-steps.ts';

interface CounterProps {
  value: number;
  durationMs?: number;
}

const wantsStillness = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;
const write = (value: number) => value.toLocaleString('en');

/** A figure that counts up to its value, and from there to the next one; at once where motion is unwanted. Read out, it is the value. */
export function Counter({ value, durationMs = 2000 }: CounterProps) {
  const [shown, setShown] = useState(0);
  const at = useRef(0);
  useEffect(() => {
    const show = (next: number) => {
      at.current = next;
      setShown(next);
    };
    const from = at.current;
    if (from === value) return;
    if (wantsStillness()) return show(value);
    let step = 0;
    const timer = setInterval(() => {
      step += 1;
      show(countAt(from, value, step));
      if (step >= counterSteps) clearInterval(timer);
    }, durationMs / counterSteps);
    return () => clearInterval(timer);
  }, [value, durationMs]);
  return (
    <span className="inline-grid tabular-nums">
      {/* The whole figure keeps the place, so that nothing moves while it is counted. */}
      <span className="col-start-1 row-start-1 opacity-0">{write(value)}</span>
      <span aria-hidden="true" className="col-start-1 row-start-1">
        {write(shown)}
      </span>
    </span>
  );
}
