import { Ban, Check, Ellipsis, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { RevokeDialog } from '#features/links/revoke-dialog.tsx';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { Chip } from '#ui/chip.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Menu } from '#ui/dialogs/menu.tsx';
import { wholeParts } from '#ui/layout/whole-parts.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { SecurityEvent } from './contract.ts';
import { describeAction, describeEvent, nameEvent, riskNames, riskTones } from './event-texts.ts';
import { useEventActions } from './use-event-actions.tsx';

/** One event: what happened, when, where, by whom, how it is known, and what was done about it. */
export function EventRow({ event, isOfOneLink }: { event: SecurityEvent; isOfOneLink: boolean }) {
  const { risk, count, lastAt, canUndo } = event;
  const action = describeAction(event);
  const actions = useEventActions(event);
  return (
    <li className="flex items-start gap-2 px-4 py-3.5">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-strong text-pretty">{nameEvent(event)}</span>
          {count > 1 && <span className="text-quiet tabular-nums">{`×${count.toLocaleString('en')}`}</span>}
          <Chip tone={riskTones[risk]}>{riskNames[risk]}</Chip>
          <span className="text-13 text-quiet">
            <RelativeTime at={lastAt} />
          </span>
        </p>
        <p className="text-13 text-quiet wrap-anywhere">{wholeParts(describeEvent(event, isOfOneLink))}</p>
        {action && (
          <p className="flex flex-wrap items-center gap-x-2 text-13">
            <span>{wholeParts(action)}</span>
            {canUndo && (
              <Button variant="bare" busy={actions.isBusy} onClick={actions.undo} className="-my-2">
                Undo
              </Button>
            )}
          </p>
        )}
      </div>
      <Actions event={event} actions={actions} />
    </li>
  );
}

/** Block viewer, Revoke link, Ignore: what is left to do about an event. */
function Actions({ event, actions }: { event: SecurityEvent; actions: ReturnType<typeof useEventActions> }) {
  const [asked, setAsked] = useState<'block' | 'revoke'>();
  const { viewer, link, action } = event;
  const isOpen = action === null || action.isUndone;
  const close = () => setAsked(undefined);
  const items = [
    ...(viewer !== null && !viewer.isBlocked
      ? [{ label: 'Block viewer', icon: UserRoundX, onSelect: () => setAsked('block'), danger: true }]
      : []),
    ...(link.isRevoked ? [] : [{ label: 'Revoke link', icon: Ban, onSelect: () => setAsked('revoke'), danger: true }]),
    ...(isOpen ? [{ label: 'Ignore', icon: Check, onSelect: actions.ignore }] : []),
  ];
  if (items.length === 0) return null;
  return (
    <>
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`What to do: ${nameEvent(event)}`} className="-mr-2.5 -mt-2.5" />}
        items={items}
      />
      <ConfirmDialog
        open={asked === 'block'}
        onClose={close}
        title={`Block ${isolate(viewer?.name ?? 'this viewer')}?`}
        description="None of your links opens for this viewer any more, and their open screens close now. You can undo this."
        confirm="Block viewer"
        danger
        onConfirm={() => {
          close();
          actions.block();
        }}
      />
      <RevokeDialog
        links={asked === 'revoke' ? [{ ...link, recipientName: null }] : []}
        onClose={close}
        onConfirm={(brokeRules) => {
          close();
          void actions.revoke(brokeRules).catch(() => undefined);
        }}
      />
    </>
  );
}
