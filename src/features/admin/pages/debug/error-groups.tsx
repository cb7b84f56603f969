import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { formatCount, isolate } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminOperations } from '../../admin-calls.tsx';
import type { ErrorGroup } from '../../operations-contract.ts';
import { severityTones } from './severity-tones.ts';

/** What goes wrong, by what it says. */
export function ErrorGroups({ days }: { days: number }) {
  const groups = useQuery(adminOperations.errors.queryOptions({ input: { days } }));
  return (
    <Loaded query={groups} label="Loading the errors">
      {(data) =>
        data.groups.length === 0 ? (
          <EmptyState icon={CircleCheck} title="No errors" />
        ) : (
          <List label="Errors">
            {data.groups.map((group) => (
              <li key={`${group.component} ${group.message}`}>
                <GroupRow group={group} />
              </li>
            ))}
          </List>
        )
      }
    </Loaded>
  );
}

function GroupRow({ group }: { group: ErrorGroup }) {
  const { component, message, severity, count, people, lastAt, requestId } = group;
  return (
    <Row
      title={message === '' ? component : message}
      {...(requestId !== null && { to: `/admin/debug#${encodeURIComponent(requestId)}` })}
      mark={<Chip tone={severityTones[severity]}>{severity}</Chip>}
      quiet={
        <>
          <span>{`${isolate(component)} · ${formatCount(people, 'person', 'people')} · last `}</span>
          <RelativeTime at={lastAt} />
        </>
      }
      end={<span>{`${count}×`}</span>}
    />
  );
}
