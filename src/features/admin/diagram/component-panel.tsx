import { Link } from 'react-router';
import type { Elements } from '#kit/elements.ts';
import { isolate } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import type { ComponentId, InstallationState, PulsePartState } from '../operations-contract.ts';
import { lightWords, partWords } from '../pulse-words.ts';
import { componentWords } from './component-words.ts';
import { FlowList } from './flow-list.tsx';
import { flows } from './flow-words.ts';

type ComponentPanelProps = { id: ComponentId; state: InstallationState; pulse: readonly PulsePartState[] };

/** One component: where it is, how it does, what lies there, what never does, and what comes and goes. */
export function ComponentPanel({ id, state: { places, figures }, pulse }: ComponentPanelProps) {
  const { name, lies, never, parts } = componentWords[id];
  const own = flows.filter(({ from, to }) => from === id || to === id);
  return (
    <section aria-label={name} className="grid content-start gap-4 rounded-card border border-line bg-raised p-5">
      <h2 aria-live="polite" className="text-21">
        {name}
      </h2>
      <Lights pulse={pulse.filter(({ part }) => parts.includes(part))} />
      <dl className="grid gap-3">
        <Fact term="Where">{isolate(places[id])}</Fact>
        <Fact term="What lies there">{lies}</Fact>
        <Fact term="What never does">{never}</Fact>
      </dl>
      <div>
        <h3 className="mb-1 font-text text-13 font-medium tracking-normal text-quiet">What comes and goes</h3>
        <FlowList flows={own} figures={figures} />
      </div>
    </section>
  );
}

function Fact({ term, children }: { term: string; children: string }) {
  return (
    <div>
      <dt className="text-13 font-medium text-quiet">{term}</dt>
      <dd className="text-pretty wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Each part of it that is looked at, and the way to what was found there. */
function Lights({ pulse }: { pulse: readonly PulsePartState[] }): Elements {
  if (pulse.length === 0) return <p className="text-13 text-quiet">Nothing checks whether it answers.</p>;
  return (
    <div className="grid gap-1">
      <ul aria-label="Lights" className="grid gap-1.5">
        {pulse.map(({ part, light }) => (
          <li key={part} className="flex items-center justify-between gap-3 text-13">
            <span>{partWords[part].name}</span>
            <Chip tone={lightWords[light].tone}>{lightWords[light].word}</Chip>
          </li>
        ))}
      </ul>
      <Link
        to="/admin/nervecheck"
        className="inline-flex min-h-11 items-center justify-self-start text-13 font-medium text-plum"
      >
        What was found, and what to do
      </Link>
    </div>
  );
}
