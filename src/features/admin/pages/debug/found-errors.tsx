import { useQuery } from '@tanstack/react-query';
import { Bug } from 'lucide-react';
import { Link } from 'react-router';
import { isolate } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminOperations } from '../../admin-calls.tsx';
import type { ErrorEntry } from '../../operations-contract.ts';
import { severityTones } from './severity-tones.ts';

/** What stands in the error log under an id. */
export function FoundErrors({ id }: { id: string }) {
  const query = useQuery(adminOperations.findErrors.queryOptions({ input: { id } }));
  return (
    <section>
      <SectionHeader title="Found" />
      <Loaded query={query} label="Searching the log">
        {({ entries }) =>
          entries.length === 0 ? (
            <EmptyState icon={Bug} title="Nothing under this id">
              Errors are kept for 90 days. A request without an error leaves nothing here, and of many alike only some
              are kept.
            </EmptyState>
          ) : (
            <ul className="grid gap-3">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <Entry entry={entry} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <p className="mt-3 text-13">
        <Link
          className="inline-flex min-h-11 items-center font-medium text-plum"
          to={`/admin/audit#${encodeURIComponent(id)}`}
        >
          What was done under this id, in the audit log
        </Link>
      </p>
    </section>
  );
}

function Entry({ entry }: { entry: ErrorEntry }) {
  const { component, message, stack, severity, url, userAgent, requestId, at } = entry;
  return (
    <Card className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-strong wrap-anywhere">{isolate(message)}</span>
        <Chip tone={severityTones[severity]}>{severity}</Chip>
      </p>
      <p className="text-13 text-quiet wrap-anywhere">
        <span>{`${isolate(component)}${url === null ? '' : ` · ${isolate(url)}`}${requestId === null ? '' : ` · request ${isolate(requestId)}`} · `}</span>
        <RelativeTime at={at} />
      </p>
      {userAgent !== null && <p className="text-13 text-quiet wrap-anywhere">{isolate(userAgent)}</p>}
      {stack !== null && <pre className="max-h-60 overflow-auto rounded-control bg-paper p-3 text-13">{stack}</pre>}
    </Card>
  );
}
