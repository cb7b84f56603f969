import { formatMoney, isolate } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { List, Row } from '#ui/layout/list.tsx';
import type { MyRequest } from '../contract.ts';
import { buyerStateNames } from '../moves/request-words.ts';

/** What was asked of creators; those that are open come first. */
export function MyRequests({ rows }: { rows: readonly MyRequest[] }) {
  return (
    <>
      <h2 className="-mb-3 text-21">Requests</h2>
      <List label="My requests">
        {rows.map((row) => (
          <li key={row.code}>
            <RequestLine row={row} />
          </li>
        ))}
      </List>
    </>
  );
}

const waitsForYou: readonly MyRequest['state'][] = ['quoted', 'delivered'];

function RequestLine({ row }: { row: MyRequest }) {
  const now = useNow();
  const { code, title, creatorName, state, offeredCents, agreedCents, currency, at } = row;
  const price = formatMoney(agreedCents ?? offeredCents, currency.toUpperCase());
  return (
    <Row
      title={isolate(title)}
      to={`/request/${code}`}
      mark={<Chip tone={waitsForYou.includes(state) ? 'ember' : 'plain'}>{buyerStateNames[state]}</Chip>}
      quiet={`${isolate(creatorName)} · ${price} · ${formatDate(at, now)}`}
    />
  );
}
