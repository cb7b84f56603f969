import { SearchX } from 'lucide-react';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import type { FunctionRow } from '../functions-contract.ts';
import { arrange, describeCalls, type FunctionSearch } from './function-order.ts';

/** Procedures or routes: who may call them, and how their calls went. */
export function FunctionList({ rows, search }: { rows: readonly FunctionRow[]; search: FunctionSearch }) {
  const found = arrange(rows, search, ({ name, address, who }) => `${name} ${address} ${who.join(' ')}`);
  if (found.length === 0) return <NothingFound />;
  return (
    <List label="Functions">
      {found.map((row) => (
        <li key={row.name}>
          <Row
            title={row.name}
            mark={row.day.errors > 0 && <Chip tone="rust">{`${row.day.errors} failed`}</Chip>}
            quiet={describeWho(row)}
            story={describeCalls(row)}
          />
        </li>
      ))}
    </List>
  );
}

const describeWho = ({ kind, address, who, scopes }: FunctionRow): string => {
  const people = scopes.length > 0 ? `administrators for ${scopes.join(' or ')}` : who.join(', ');
  return kind === 'route' ? `For ${people}` : `${address} · for ${people}`;
};

/** What stands where a search finds nothing. */
export function NothingFound() {
  return <EmptyState icon={SearchX} title="Nothing like that" />;
}
