import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Card } from '#ui/layout/card.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { passkeys, secondFactor, useMe } from '../../guard.tsx';
import { hasPasskeys } from '../../passkeys/in-browser.tsx';
import type { Passkey } from '../../passkeys/passkeys-contract.ts';
import { BackupCodes } from '../two-step/backup-codes.tsx';
import { RenewCodes } from '../two-step/change-two-step.tsx';
import { AddPasskey, RemovePasskey, RenamePasskey } from './passkey-forms.tsx';

type Doing = 'nothing' | 'adding' | 'renewing' | { rename: Passkey } | { remove: Passkey } | { codes: string[] };

/** The passkeys of an account: added, named, removed. */
export function Passkeys() {
  const { data, isPending, isError, refetch } = useQuery(passkeys.list.queryOptions());
  const found = data?.passkeys ?? [];
  return (
    <section>
      <SectionHeader title="Passkeys" />
      <Card>
        {isPending && <SkeletonRows rows={1} label="Loading your passkeys" />}
        {isError && <ErrorState onRetry={() => void refetch()} />}
        {data && <Part found={found} />}
      </Card>
    </section>
  );
}

function Part({ found }: { found: readonly Passkey[] }) {
  const [doing, setDoing] = useState<Doing>('nothing');
  const queries = useQueryClient();
  const { askAgain } = useMe();
  const stop = () => setDoing('nothing');
  const changed = async (next: Doing = 'nothing') => {
    setDoing(next);
    const keys = [passkeys.list.key(), secondFactor.show.key()];
    await Promise.all([...keys.map((queryKey) => queries.invalidateQueries({ queryKey })), askAgain()]);
  };
  const added = async (codes: string[]) => {
    toast.success({ title: 'Passkey added' });
    await changed(codes.length > 0 ? { codes } : 'nothing');
  };
  if (doing === 'adding') return <AddPasskey onDone={added} onCancel={stop} />;
  if (doing === 'renewing') return <RenewCodes onDone={(codes) => changed({ codes })} onCancel={stop} />;
  if (doing === 'nothing') return <Listed found={found} onDo={setDoing} />;
  if ('codes' in doing) return <BackupCodes codes={doing.codes} onDone={stop} />;
  if ('rename' in doing) return <RenamePasskey passkey={doing.rename} onDone={changed} onCancel={stop} />;
  return <RemovePasskey passkey={doing.remove} onDone={changed} onCancel={stop} />;
}

function Listed({ found, onDo }: { found: readonly Passkey[]; onDo: (next: Doing) => void }) {
  const { data } = useQuery(secondFactor.show.queryOptions());
  return (
    <div className="grid gap-4">
      <p className="text-quiet">
        A passkey signs you in with your finger, face or PIN, without a password or a code. It works on this site alone,
        so a page that only looks like it gets nothing.
      </p>
      {found.length > 0 && (
        <List label="Passkeys">
          {found.map((passkey) => (
            <li key={passkey.id}>
              <PasskeyRow passkey={passkey} onDo={onDo} />
            </li>
          ))}
        </List>
      )}
      {data?.isOn === false && data.hasPasskey && (
        <p className="text-quiet">{`Backup codes left: ${data.backupCodesLeft}.`}</p>
      )}
      {!hasPasskeys() && <p className="text-quiet">This browser can't make passkeys.</p>}
      <div className="flex flex-wrap gap-2">
        {hasPasskeys() && (
          <Button icon={KeyRound} onClick={() => onDo('adding')}>
            Add a passkey
          </Button>
        )}
        {data?.isOn === false && data.hasPasskey && (
          <Button variant="outline" onClick={() => onDo('renewing')}>
            New backup codes
          </Button>
        )}
      </div>
    </div>
  );
}

function PasskeyRow({ passkey, onDo }: { passkey: Passkey; onDo: (next: Doing) => void }) {
  return (
    <Row
      title={passkey.name}
      quiet={
        <>
          <span>{passkey.lastUsedAt === null ? 'Added: ' : 'Last used: '}</span>
          <RelativeTime at={passkey.lastUsedAt ?? passkey.createdAt} />
          {passkey.lastUsedAt === null && <span> · never used</span>}
        </>
      }
      end={
        <div className="flex">
          <Button variant="bare" aria-label={`Rename ${passkey.name}`} onClick={() => onDo({ rename: passkey })}>
            Rename
          </Button>
          <Button variant="bare" aria-label={`Remove ${passkey.name}`} onClick={() => onDo({ remove: passkey })}>
            Remove
          </Button>
        </div>
      }
    />
  );
}
