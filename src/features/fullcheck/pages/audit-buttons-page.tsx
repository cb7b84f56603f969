import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { adminButtons } from '#features/admin/admin-calls.tsx';
import type { ControlRow } from '#features/admin/buttons-contract.ts';
import { formatCount, formatShare } from '#kit/text.ts';
import { formatTimeAgo } from '#kit/time.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { SearchField } from '#ui/forms/search-field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { ResultChip } from '../check-run.tsx';
import type { FullCheck } from '../contract.ts';
import { fullCheck, runningMs } from '../fullcheck-calls.tsx';
import { RunButton } from '../run-button.tsx';

export const meta = () => [{ title: 'Buttons · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const kept = {
  all: { label: 'All', holds: () => true },
  untested: { label: 'Untested', holds: ({ journeys }: ControlRow) => journeys.length === 0 },
  dead: { label: 'Dead', holds: ({ isDead }: ControlRow) => isDead },
  failing: { label: 'Failing', holds: ({ errors }: ControlRow) => errors > 0 },
} as const;
type Kept = keyof typeof kept;
const keptWords = Object.entries(kept).map(([value, { label }]) => ({ value: value as Kept, label }));

const mostShown = 100;

/** Everything that people press: where it stands, what it calls, which journey presses it, when its calls last passed, and what of it fails. */
export default function AuditButtonsPage() {
  const query = useQuery(adminButtons.list.queryOptions({ input: {} }));
  const checks = useFullCheck();
  const newest = checks.data?.runs[0];
  return (
    <>
      <PageHeader
        title="Buttons"
        facts="Collected by machine from the sources of the pages: buttons, links that act, switches, choices, menus and forms."
        actions={checks.data && <RunButton label="Run all" running={newest?.result === null ? newest : undefined} />}
      />
      <div className="grid max-w-190 gap-8">
        <div className="grid gap-2">
          <p className="text-pretty">
            “Run all” starts the full check: on accounts that are made for it and erased again, it makes the calls that
            stand behind these controls, as far as it reaches them. The controls themselves are pressed by the journeys
            that are named beside each, which run with the tests of this version.
          </p>
          <Loaded query={checks} label="Loading the newest run">
            {() => <LastRun run={newest} />}
          </Loaded>
        </div>
        <Loaded query={query} label="Loading the register">
          {({ controls }) => (
            <div className="grid gap-8">
              <Rooms controls={controls} />
              <Controls controls={controls} />
            </div>
          )}
        </Loaded>
      </div>
    </>
  );
}

/** Reads the runs of the whole check, again and again while one is under way; when it ends, the register is read again. */
function useFullCheck() {
  const queries = useQueryClient();
  const checks = useQuery(
    fullCheck.show.queryOptions({
      input: {},
      refetchInterval: ({ state }) => (state.data?.runs[0]?.result === null ? runningMs : false),
    }),
  );
  const isRunning = checks.data?.runs[0]?.result === null;
  useEffect(() => {
    if (isRunning) return () => void queries.invalidateQueries({ queryKey: adminButtons.key() });
  }, [isRunning, queries]);
  return checks;
}

/** Says how far the newest run is, or how it ended. */
function LastRun({ run }: { run: FullCheck | undefined }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 text-quiet">
      {run === undefined ? <span>It has not run yet.</span> : <Progress run={run} />}
      <Link className="inline-flex min-h-11 items-center font-medium text-plum" to="/admin/fullcheck">
        Full check
      </Link>
    </p>
  );
}

function Progress({ run }: { run: FullCheck }) {
  const done = run.steps.filter(({ state }) => state !== 'waiting' && state !== 'running').length;
  return (
    <>
      <ResultChip run={run} />
      <RelativeTime at={run.startedAt} />
      {run.result === null && <span>{`${done} of ${formatCount(run.steps.length, 'step', 'steps')}`}</span>}
    </>
  );
}

/** How much of each room the journeys press. */
function Rooms({ controls }: { controls: readonly ControlRow[] }) {
  const rooms = [...new Set(controls.map(({ room }) => room))];
  return (
    <section>
      <SectionHeader title="Pressed by journeys" />
      <ul className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {rooms.map((room) => {
          const its = controls.filter((control) => control.room === room);
          const tested = its.filter(({ journeys }) => journeys.length > 0).length;
          return (
            <li key={room} className="grid gap-1 text-13">
              <span className="flex justify-between gap-3">
                <span>{room}</span>
                <span className="tabular-nums text-quiet">{`${tested} of ${its.length}`}</span>
              </span>
              <ProgressBar label={`Pressed in ${room}`} done={tested / its.length} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Controls({ controls }: { controls: readonly ControlRow[] }) {
  const [text, setText] = useState('');
  const [shown, setShown] = useState<Kept>('all');
  const sought = text.trim().toLowerCase();
  const found = controls.filter(
    (row) =>
      kept[shown].holds(row) &&
      `${row.id} ${row.pages.join(' ')} ${row.procedures.join(' ')} ${row.journeys.join(' ')}`
        .toLowerCase()
        .includes(sought),
  );
  const counts = keptWords.map(({ value, label }) => `${label} ${controls.filter(kept[value].holds).length}`);
  return (
    <section className="grid gap-4">
      <SectionHeader title="The register" />
      <p className="text-13 text-quiet">{counts.join(' · ')}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <SearchField label="Search" value={text} onSearch={setText} />
        <Select label="Show" options={keptWords} value={shown} onChange={setShown} />
      </div>
      {found.length === 0 ? (
        <EmptyState icon={SearchX} title="Nothing like that" />
      ) : (
        <List label="Controls">
          {found.slice(0, mostShown).map((row) => (
            <li key={row.id}>
              <Control row={row} />
            </li>
          ))}
        </List>
      )}
      {found.length > mostShown && (
        <p className="text-13 text-quiet">{`The first ${mostShown} of ${found.length}. Search for the others.`}</p>
      )}
      <p className="text-13 text-pretty text-quiet">
        Dead means that its source does nothing when it is pressed; untested, that no journey's source presses something
        called so; failing, that in the last 24 hours what it calls has failed, or something went wrong in a page right
        after it was pressed, which choices and forms do not tell. Calls are counted, not presses: no page tells what
        somebody presses. A name that is only known while it runs stands as “…”. The viewer's own page is drawn without
        these components and is not in here.
      </p>
    </section>
  );
}

function Control({
  row: { id, kind, name, pages, who, isDead, procedures, journeys, calls, failedCalls, errors, passedAt },
}: {
  row: ControlRow;
}) {
  const now = useNow();
  const facts = [
    ...(procedures.length === 0
      ? []
      : [
          procedures.join(', '),
          `${formatCount(calls, 'call')} in 30 days${calls === 0 ? '' : `, ${formatShare(failedCalls, calls)} failed`}`,
          passedAt === null ? 'not passed by a full check in 30 days' : `passed last: ${formatTimeAgo(passedAt, now)}`,
        ]),
    journeys.length === 0 ? 'pressed by no journey' : `pressed by ${journeys.join(', ')}`,
  ];
  return (
    <Row
      title={name === '' || name === '…' ? (id.split('#')[0] ?? id) : name}
      mark={
        <span className="flex gap-1">
          <Chip tone="plain">{kind}</Chip>
          {isDead && <Chip tone="rust">Dead</Chip>}
          {journeys.length === 0 && <Chip tone="ember">Untested</Chip>}
          {errors > 0 && <Chip tone="rust">{`${errors} failed`}</Chip>}
        </span>
      }
      quiet={`${pages.join(', ')} · for ${who} · ${id.split('#')[0]}`}
      story={facts.join(' · ')}
    />
  );
}
