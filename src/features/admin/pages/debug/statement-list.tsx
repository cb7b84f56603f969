import { useQuery } from '@tanstack/react-query';
import { Database } from 'lucide-react';
import { formatCount, formatDuration } from '#kit/text.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { List } from '#ui/layout/list.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminDebug } from '../../admin-calls.tsx';
import type { SentStatement } from '../../debug-contract.ts';
import { formatMs } from '../function-order.ts';

/** What the process that answers has waited for at the database, the longest in all first. */
export function StatementList() {
  const query = useQuery(adminDebug.statements.queryOptions({ input: {} }));
  return (
    <Loaded query={query} label="Loading the statements">
      {({ since, statements }) => (
        <>
          {statements.length === 0 ? (
            <EmptyState icon={Database} title="No statement was sent" />
          ) : (
            <List label="Statements">
              {statements.map((statement) => (
                <li key={statement.name}>
                  <Statement statement={statement} />
                </li>
              ))}
            </List>
          )}
          <p className="mt-3 text-13 text-pretty text-quiet">
            <span>Of the process that answered, which was started </span>
            <RelativeTime at={since} />
            <span>
              . The time is what it waited for, the one that took most of it in all first. Values are never kept: $1
              stands for one, $… for several.
            </span>
          </p>
        </>
      )}
    </Loaded>
  );
}

const formatMean = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : formatMs(Math.round(ms)));

const formatTotal = (ms: number): string => (ms < 60_000 ? formatMs(Math.round(ms)) : formatDuration(ms));

function Statement({ statement: { name, calls, totalMs, slowestMs, p95Ms } }: { statement: SentStatement }) {
  return (
    <div className="grid gap-0.5 px-4 py-3.5">
      <p className="line-clamp-4 font-mono text-13 wrap-anywhere">{name}</p>
      <p className="text-13 text-pretty text-quiet tabular-nums">
        {`${formatTotal(totalMs)} in ${formatCount(calls, 'call')} · ${formatMean(totalMs / calls)} each · 95 %: ${formatMs(Math.round(p95Ms))} · slowest ${formatMs(Math.round(slowestMs))}`}
      </p>
    </div>
  );
}
