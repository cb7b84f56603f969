import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { adminOperations } from './admin-calls.tsx';
import { ComponentPanel } from './diagram/component-panel.tsx';
import { ComponentPicture } from './diagram/component-picture.tsx';
import { FlowList } from './diagram/flow-list.tsx';
import { flows } from './diagram/flow-words.ts';
import type { ComponentId, InstallationState, PulsePartState } from './operations-contract.ts';
import { usePulse } from './use-pulse.tsx';
import { WatchedHeader } from './watched-header.tsx';

/** Figures of calls are added up once a minute; what waits changes faster. */
const figuresEveryMs = 10_000;

/** What this installation is made of, how each part is, and what flows between them. */
export function InstallationDiagram() {
  const { query: pulse, isPaused, goOn } = usePulse();
  const installation = useQuery(
    adminOperations.installation.queryOptions({ input: {}, refetchInterval: isPaused ? false : figuresEveryMs }),
  );
  return (
    <div className="mx-auto max-w-290 px-5 pt-4 pb-12">
      <WatchedHeader
        title="This installation"
        facts="Its parts, looked at every few seconds, and what flows between them."
        isPaused={isPaused}
        goOn={goOn}
      />
      <Loaded query={installation} label="Loading the installation">
        {(state) => <Installation state={state} pulse={pulse.data?.parts ?? []} />}
      </Loaded>
    </div>
  );
}

function Installation({ state, pulse }: { state: InstallationState; pulse: readonly PulsePartState[] }) {
  const [chosen, setChosen] = useState<ComponentId>('web');
  return (
    <div className="grid gap-8">
      <div className="grid items-start gap-5 lg:grid-cols-[1fr_21rem]">
        <ComponentPicture chosen={chosen} onChoose={setChosen} figures={state.figures} pulse={pulse} />
        <ComponentPanel id={chosen} state={state} pulse={pulse} />
      </div>
      <section className="max-w-190">
        <h2 className="text-28">Everything that flows</h2>
        <p className="mt-1 mb-2 text-13 text-pretty text-quiet">
          The picture in words. Calls and jobs are of the last hour, in steps of ten minutes, and of all processes; each
          adds its own once a minute.
        </p>
        <FlowList flows={flows} figures={state.figures} />
      </section>
    </div>
  );
}
