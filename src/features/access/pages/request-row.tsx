import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { formatCount, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Menu } from '#ui/dialogs/menu.tsx';
import { wholeParts } from '#ui/layout/whole-parts.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { grantSpans } from '../asked-rules.ts';
import type { AccessRequest, RequestStatus } from '../requests-contract.ts';
import { type Denial, useDecisions } from '../use-decisions.tsx';
import { DenyDialog } from './deny-dialog.tsx';
import {
  describeAnswer,
  describeAsker,
  describeBefore,
  nameAskedAlbums,
  shutWords,
  spanNames,
  statusNames,
} from './request-texts.ts';

const tones: Readonly<Record<RequestStatus, 'ember' | 'moss' | 'rust' | 'plain'>> = {
  pending: 'ember',
  approved: 'moss',
  denied: 'rust',
  withdrawn: 'plain',
  expired: 'plain',
};

/** One request: who asks for what, in which words; a pending one with its answers. */
export function RequestRow({ request }: { request: AccessRequest }) {
  const { status, requesterName, message, albums, before, createdAt, shut } = request;
  const now = useNow();
  const answer = describeAnswer(request, now);
  const known = describeBefore(before);
  return (
    <li className="grid gap-2 px-4 py-3.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 max-w-full font-strong wrap-anywhere">{isolate(requesterName)}</span>
        <Chip tone={tones[status]}>{statusNames[status]}</Chip>
        <span className="text-13 text-quiet">
          <RelativeTime at={createdAt} />
        </span>
      </p>
      {message !== '' && <p className="whitespace-pre-line text-pretty wrap-anywhere">{`“${isolate(message)}”`}</p>}
      <p className="text-13 wrap-anywhere">
        {`${albums.length > 1 ? `${formatCount(albums.length, 'album')}: ` : ''}${nameAskedAlbums(request)}`}
      </p>
      <p className="text-13 text-quiet wrap-anywhere">{wholeParts(describeAsker(request))}</p>
      {known && <p className="text-13 text-quiet">{wholeParts(known)}</p>}
      {answer && <p className="text-13 text-quiet wrap-anywhere">{wholeParts(answer)}</p>}
      {shut !== null && <p className="text-13 text-rust">{shutWords[shut]}</p>}
      {status === 'pending' && (shut === null ? <Answers request={request} /> : <Dismissal request={request} />)}
    </li>
  );
}

const silent: Denial = { text: '', mayAskAgain: true, isBlocked: false };

/** What can be done with a request that can't be approved. */
function Dismissal({ request }: { request: AccessRequest }) {
  const { deny, isDeciding } = useDecisions(request.id);
  return (
    <div className="flex flex-wrap gap-2 pt-1">
      <Button disabled>Approve</Button>
      <Button variant="outline" disabled={isDeciding} onClick={() => deny(silent)}>
        Dismiss
      </Button>
    </div>
  );
}

/** Approve and deny, each with its choices; both rest while an answer is under way. */
function Answers({ request }: { request: AccessRequest }) {
  const { approve, deny, isDeciding } = useDecisions(request.id);
  const [isDenying, setDenying] = useState(false);
  const answer = (denial: Denial) => {
    setDenying(false);
    deny(denial);
  };
  const name = isolate(request.requesterName);
  return (
    <div className="flex flex-wrap gap-2 pt-1">
      <span className="inline-flex gap-1">
        <Button disabled={isDeciding} onClick={() => approve('never')}>
          Approve
        </Button>
        <Menu
          trigger={
            <IconButton
              icon={ChevronDown}
              label={`Approve ${name} for a time`}
              variant="outline"
              disabled={isDeciding}
            />
          }
          items={grantSpans.map((span) => ({ label: spanNames[span], onSelect: () => approve(span) }))}
        />
      </span>
      <span className="inline-flex gap-1">
        <Button variant="outline" disabled={isDeciding} onClick={() => deny(silent)}>
          Deny
        </Button>
        <Menu
          trigger={
            <IconButton icon={ChevronDown} label={`Deny ${name} with words`} variant="outline" disabled={isDeciding} />
          }
          items={[
            { label: 'Deny silently', onSelect: () => deny(silent) },
            { label: 'Deny with a text…', onSelect: () => setDenying(true) },
            {
              label: 'Deny and block',
              danger: true,
              onSelect: () => deny({ text: '', mayAskAgain: false, isBlocked: true }),
            },
          ]}
        />
      </span>
      <DenyDialog open={isDenying} name={name} onClose={() => setDenying(false)} onDeny={answer} />
    </div>
  );
}
