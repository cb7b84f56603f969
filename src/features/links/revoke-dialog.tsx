import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { usualLimits } from '#features/settings/page-limits.ts';
import { formatCount, formatMoney, isolate } from '#kit/text.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import type { MagicLink } from './contract.ts';
import { links } from './link-calls.tsx';
import { nameLink } from './link-texts.ts';

/** Why nothing goes back to those of whom a trace of a leak tells. */
export interface BrokeRules {
  reason: string;
}

interface RevokeDialogProps {
  links: readonly Pick<MagicLink, 'id' | 'linkName' | 'recipientName'>[];
  onClose: () => void;
  onConfirm: (brokeRules?: BrokeRules) => void;
}

/** Asks before access ends, for one link or several, and says what it gives back. */
export function RevokeDialog({ links: asked, onClose, onConfirm }: RevokeDialogProps) {
  const [only, ...others] = asked;
  const [reason, setReason] = useState<string>();
  const [fault, setFault] = useState<string>();
  const { linkUndoHours } = useMe().me?.limits ?? usualLimits;
  const many = formatCount(asked.length, 'link');
  const who = isolate(only?.recipientName ?? '') || 'Everyone with this link';
  const forget = () => {
    setReason(undefined);
    setFault(undefined);
  };
  const confirm = () => {
    const text = reason?.trim();
    if (text === '') return setFault('Say what happened');
    forget();
    onConfirm(text === undefined ? undefined : { reason: text });
  };
  return (
    <ConfirmDialog
      open={asked.length > 0}
      onClose={() => {
        forget();
        onClose();
      }}
      title={others.length > 0 ? `Revoke ${many}?` : `Revoke “${only ? nameLink(only) : ''}”?`}
      description={
        others.length > 0
          ? `Everyone with these links loses access now. This can be undone for ${linkUndoHours} h.`
          : `${who} loses access now. This can be undone for ${linkUndoHours} h.`
      }
      confirm={others.length > 0 ? `Revoke ${many}` : 'Revoke link'}
      danger
      onConfirm={confirm}
    >
      {asked.length > 0 && (
        <Cost
          linkIds={asked.map(({ id }) => id)}
          reason={reason}
          fault={fault}
          onReason={(text) => {
            setReason(text);
            setFault(undefined);
          }}
        />
      )}
    </ConfirmDialog>
  );
}

interface CostProps {
  linkIds: string[];
  /** Undefined while everybody gets their money back. */
  reason: string | undefined;
  fault: string | undefined;
  onReason: (text: string | undefined) => void;
}

/** Whom it pays back, and the way not to; nothing where nobody has paid lately. */
function Cost({ linkIds, reason, fault, onReason }: CostProps) {
  const query = useQuery(links.revokeCost.queryOptions({ input: { linkIds } }));
  if (query.data === undefined || query.data.people === 0) return null;
  const { people, cents, currency, isRecent, breakers } = query.data;
  const paid = `${formatCount(people, 'person', 'people')} paid ${formatMoney(cents, currency.toUpperCase())}`;
  const back = people === 1 ? 'it will be refunded' : 'they will be refunded';
  return (
    <div className="grid gap-3">
      <p className="font-medium">{isRecent ? `${paid} in the last 7 days – ${back}.` : `${paid} – ${back}.`}</p>
      <Switch
        label="They broke the rules"
        hint={
          breakers > 0
            ? `A leak was traced to ${formatCount(breakers, 'person', 'people')} of them, who get nothing back. If they complain, we decide.`
            : 'This takes a security event: a leak that was traced to them.'
        }
        checked={reason !== undefined}
        disabled={breakers === 0}
        onChange={(isOn) => onReason(isOn ? '' : undefined)}
      />
      {reason !== undefined && (
        <Textarea
          label="What happened?"
          maxLength={500}
          value={reason}
          error={fault}
          onChange={(event) => onReason(event.target.value)}
        />
      )}
    </div>
  );
}
