import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Card } from '#ui/layout/card.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { CodedView } from '../contract.ts';
import { describeName } from '../page-texts.ts';
import { codeWords, readCode } from '../rules.ts';
import { tracing } from './trace-calls.tsx';

/** Finds the view that a code in a visible mark belongs to, in any album. */
export function CodeFinder() {
  const [typed, setTyped] = useState('');
  const [code, setCode] = useState<string>();
  const [fault, setFault] = useState<string>();
  const find = (event: FormEvent) => {
    event.preventDefault();
    const wanted = readCode(typed);
    setFault(wanted === undefined ? codeWords : undefined);
    setCode(wanted);
  };
  return (
    <Card className="grid gap-3">
      <h2 className="text-21">Does the copy show a code?</h2>
      <p className="max-w-160 text-quiet">
        After your name, the visible mark shows an eight-character code for the view it was made for. Codes can be
        faked, so treat them as a hint and trace the copy before you accuse anyone.
      </p>
      <form onSubmit={find} noValidate className="flex flex-wrap items-start gap-3">
        <Field
          label="Code in the picture"
          value={typed}
          maxLength={120}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="4F2A91C0"
          error={fault}
          onChange={(event) => {
            setTyped(event.target.value);
            setFault(undefined);
          }}
          className="min-w-48 flex-1 sm:max-w-72 [&>label]:sr-only"
        />
        <Button type="submit" variant="outline" className="h-12">
          Find the view
        </Button>
      </form>
      {code !== undefined && <Views code={code} />}
    </Card>
  );
}

function Views({ code }: { code: string }) {
  const query = useQuery(tracing.byCode.queryOptions({ input: { code } }));
  if (query.isPending) return <SkeletonRows label="Looking for the view" />;
  if (query.isError)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  const { views } = query.data;
  return (
    <div role="status">
      {views.length === 0 ? (
        <p className="text-quiet">{`You don't have a view with the code ${code}. Its link may have been deleted.`}</p>
      ) : (
        <List label={`Views with the code ${code}`}>
          {views.map((view) => (
            <li key={`${view.linkId} ${view.viewerId}`}>
              <ViewRow view={view} />
            </li>
          ))}
        </List>
      )}
    </div>
  );
}

function ViewRow({ view }: { view: CodedView }) {
  const { linkId, linkName, recipientName, isRevoked, isBlocked, firstOpenedAt } = view;
  const link = linkName || 'Untitled Link';
  const name = describeName(view);
  const isNamed = recipientName === null || recipientName === name || link.includes(recipientName);
  return (
    <Row
      title={name}
      to={`/magic-links/${linkId}`}
      mark={
        <>
          {isRevoked && <Chip tone="rust">Revoked</Chip>}
          {isBlocked && <Chip tone="rust">Blocked</Chip>}
        </>
      }
      quiet={isNamed ? `Through “${isolate(link)}”` : `Through “${isolate(link)}”, for ${isolate(recipientName)}`}
      end={
        <span className="text-13 text-quiet">
          <RelativeTime at={firstOpenedAt} />
        </span>
      }
    />
  );
}
