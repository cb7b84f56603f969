import { ArrowRight } from 'lucide-react';
import type { FlowFigures } from '../operations-contract.ts';
import { componentWords } from './component-words.ts';
import type { Flow } from './flow-words.ts';

/** What goes from where to where, and how much of it; the picture in words. */
export function FlowList({ flows, figures }: { flows: readonly Flow[]; figures: FlowFigures }) {
  return (
    <ul className="grid [&>li+li]:border-t [&>li+li]:border-line">
      {flows.map(({ from, to, what, describeAmount }) => (
        <li key={`${from} ${to}`} className="grid gap-0.5 py-2.5 text-13">
          <p className="flex flex-wrap items-center gap-x-1.5 font-strong">
            <span>{componentWords[from].name}</span>
            <ArrowRight role="img" aria-label="to" className="size-3.5 flex-none text-quiet" />
            <span>{componentWords[to].name}</span>
          </p>
          <p className="text-pretty">{what}</p>
          {describeAmount && <p className="text-pretty text-quiet tabular-nums">{describeAmount(figures)}</p>}
        </li>
      ))}
    </ul>
  );
}
