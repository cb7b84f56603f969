import { UserRound } from 'lucide-react';
import { Link } from 'react-router';
import { isolate } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { AnsweredRequest } from '../../debug-contract.ts';
import { formatMs } from '../function-order.ts';

/** What an account was answered last, each leading to what stands in the logs under it. */
export function LastRequests({
  account: { id, email },
  requests,
}: {
  account: { id: string; email: string };
  requests: readonly AnsweredRequest[];
}) {
  return (
    <section>
      <SectionHeader title="Last requests" />
      <p className="mb-2 wrap-anywhere text-quiet">{isolate(email)}</p>
      {requests.length === 0 ? (
        <EmptyState icon={UserRound} title="None is remembered" />
      ) : (
        <List label="Last requests">
          {requests.map((request) => (
            <li key={request.requestId}>
              <Request request={request} />
            </li>
          ))}
        </List>
      )}
      <p className="mt-3 text-13 text-pretty text-quiet">
        At most 100 of the last 5,000 of all signed-in people, since the process that answered was started. That you
        have looked stands in the audit log.
      </p>
      <p className="text-13">
        <Link className="inline-flex min-h-11 items-center font-medium text-plum" to={`/admin/users/${id}`}>
          The account, with what is switched on for it
        </Link>
      </p>
    </section>
  );
}

const toneOf = (status: number) => {
  if (status >= 500) return 'rust';
  return status >= 400 ? 'ember' : 'moss';
};

function Request({ request: { requestId, at, what, status, ms } }: { request: AnsweredRequest }) {
  return (
    <Row
      title={what}
      to={`/admin/debug#${encodeURIComponent(requestId)}`}
      mark={<Chip tone={toneOf(status)}>{String(status)}</Chip>}
      quiet={
        <>
          <span>{`${formatMs(ms)} · `}</span>
          <RelativeTime at={at} />
          <span>{` · ${requestId}`}</span>
        </>
      }
    />
  );
}
