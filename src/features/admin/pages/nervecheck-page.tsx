import { Link } from 'react-router';
import { isolate } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { List } from '#ui/layout/list.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { PulsePartState } from '../operations-contract.ts';
import { lightWords, partWords } from '../pulse-words.ts';
import { usePulse } from '../use-pulse.tsx';
import { WatchedHeader } from '../watched-header.tsx';

export const meta = () => [{ title: 'Nervecheck · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** How each part of the installation is, now. */
export default function NervecheckPage() {
  const { query, isPaused, goOn } = usePulse();
  return (
    <>
      <WatchedHeader
        title="Nervecheck"
        facts="Looked at every few seconds while this page is open."
        isPaused={isPaused}
        goOn={goOn}
      />
      <div className="grid max-w-190 gap-5">
        <Loaded query={query} label="Loading the parts">
          {({ parts, version }) => (
            <>
              <Summary parts={parts} />
              <List label="Parts of the installation">
                {parts.map((state) => (
                  <li key={state.part}>
                    <PartRow state={state} />
                  </li>
                ))}
              </List>
              <p className="flex flex-wrap items-center justify-between gap-x-4 text-13 text-quiet">
                <span>{`PrivateFans ${version}`}</span>
                <Link to="/diagram/installation" className="inline-flex min-h-11 items-center font-medium text-plum">
                  See how the parts belong together
                </Link>
              </p>
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

function Summary({ parts }: { parts: readonly PulsePartState[] }) {
  const down = parts.filter(({ light }) => light === 'red').map(({ part }) => partWords[part].name);
  const doubtful = parts.filter(({ light }) => light === 'amber').map(({ part }) => partWords[part].name);
  const words = [
    ...(down.length > 0 ? [`Down: ${down.join(', ')}.`] : []),
    ...(doubtful.length > 0 ? [`To look at: ${doubtful.join(', ')}.`] : []),
  ];
  return (
    <p role="status" className="text-18 text-pretty">
      {words.length === 0 ? 'Everything answers.' : words.join(' ')}
    </p>
  );
}

function PartRow({ state: { part, light, finding, since } }: { state: PulsePartState }) {
  const { word, tone } = lightWords[light];
  const { name, whatToDo } = partWords[part];
  return (
    <div className="grid gap-1 px-4 py-3.5">
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="font-strong">{name}</span>
        <span className="flex items-center gap-2 text-13 text-quiet">
          {since !== null && (
            <span>
              <span>since </span>
              <RelativeTime at={since} />
            </span>
          )}
          <Chip tone={tone}>{word}</Chip>
        </span>
      </p>
      {finding !== '' && <p className="text-13 text-pretty wrap-break-word text-quiet">{isolate(finding)}</p>}
      {(light === 'red' || light === 'amber') && <p className="text-13 text-pretty">{whatToDo}</p>}
    </div>
  );
}
