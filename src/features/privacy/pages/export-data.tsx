import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Archive, Download } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { SecondFactorField } from '#features/accounts/code-form.tsx';
import { SecondFactorCode } from '#features/accounts/contract.ts';
import { secondFactor, useMe } from '#features/accounts/guard.tsx';
import { formatBytes, formatCount } from '#kit/text.ts';
import { Button, drawButton } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { OwnExport } from '../contract.ts';
import { describeExport, describeNext } from '../export-words.ts';
import { privacy } from '../privacy-calls.tsx';
import { useCode } from './use-code.tsx';

/** While it is made, its progress is looked at so often. */
const lookAgainMs = 2000;

const isUnderWay = (data: OwnExport | undefined) =>
  data?.newest?.state === 'requested' || data?.newest?.state === 'building';

/** One's own data, to take along. */
export function ExportData() {
  const own = useQuery(
    privacy.showExport.queryOptions({
      refetchInterval: ({ state }) => (isUnderWay(state.data) ? lookAgainMs : false),
    }),
  );
  return (
    <section>
      <SectionHeader title="Export your data" />
      <Card className="grid justify-items-start gap-4">
        <p className="text-quiet">
          A ZIP file with everything that we keep about you: your account, albums, links, sales, receipts, visits and
          sessions, and your photos and videos as you uploaded them if you want.
        </p>
        {own.isPending && <Skeleton className="h-20 w-full" />}
        {own.isError && <ErrorState onRetry={() => void own.refetch()} busy={own.isRefetching} />}
        {own.isSuccess && <Newest own={own.data} />}
        {own.isSuccess && !isUnderWay(own.data) && <Request own={own.data} />}
      </Card>
    </section>
  );
}

function Newest({ own }: { own: OwnExport }) {
  const { newest } = own;
  const [isOpen, setOpen] = useState(false);
  if (newest === null) return null;
  const { state, doneBytes, totalBytes, path } = newest;
  return (
    <div className="grid w-full justify-items-start gap-3">
      <p role="status">{describeExport(own, new Date())}</p>
      {isUnderWay(own) && (
        <div className="w-full">
          <ProgressBar label="Your export" done={totalBytes === 0 ? 0 : doneBytes / totalBytes} />
        </div>
      )}
      {state === 'ready' && path === null && (
        <Button icon={Download} onClick={() => setOpen(true)}>
          Download
        </Button>
      )}
      {path !== null && (
        <a href={path} download className={drawButton({})}>
          <Download aria-hidden="true" className="size-5" />
          Download
        </a>
      )}
      {isOpen && <PasswordDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

function Request({ own: { originals, nextAt } }: { own: OwnExport }) {
  const [hasOriginals, setOriginals] = useState(originals.count > 0);
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: privacy.showExport.key() });
  const request = useWrite(
    privacy.requestExport.mutationOptions({
      onSuccess: refresh,
      onError: ({ message }) => {
        toast.error({ title: "Your export wasn't requested", message });
        void refresh();
      },
    }),
  );
  if (nextAt !== null) return <p className="text-13 text-quiet">{describeNext(nextAt, new Date())}</p>;
  return (
    <div className="grid justify-items-start gap-3">
      {originals.count > 0 && (
        <Checkbox
          checked={hasOriginals}
          onChange={setOriginals}
          label={`With ${formatCount(originals.count, 'photo or video', 'photos and videos')}, ${formatBytes(originals.bytes)}`}
        />
      )}
      <Button
        variant="outline"
        icon={Archive}
        busy={request.isPending}
        onClick={() => request.mutate({ hasOriginals })}
      >
        Request an export
      </Button>
    </div>
  );
}

const formId = 'download-export';

/** Whoever only holds an open screen does not take everything along. */
function PasswordDialog({ onClose }: { onClose: () => void }) {
  const factor = useQuery(secondFactor.show.queryOptions({ staleTime: 0, gcTime: 0 }));
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Download your data"
      actions={
        <>
          <Button type="submit" form={formId} disabled={!factor.isSuccess} busy={isBusy}>
            Download
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      {factor.isError && <ErrorState onRetry={() => void factor.refetch()} />}
      {factor.isPending && <Skeleton className="h-20 w-full" />}
      {factor.isSuccess && (
        <PasswordForm
          needsCode={factor.data.isOn && factor.data.codeFreshUntil === null}
          onBusy={setBusy}
          onDone={onClose}
        />
      )}
    </Dialog>
  );
}

const Wanted = z.object({ password: z.string().min(1, 'Enter your password') });

function PasswordForm({
  needsCode,
  onBusy,
  onDone,
}: {
  needsCode: boolean;
  onBusy: (isBusy: boolean) => void;
  onDone: () => void;
}) {
  const { me } = useMe();
  const { isAsked, enter, onFault } = useCode(needsCode);
  const queries = useQueryClient();
  const form = useForm({
    shape: Wanted.extend({ code: isAsked ? SecondFactorCode : z.string() }),
    initial: { password: '', code: '' },
    send: async ({ password, code }) => {
      onBusy(true);
      await enter(code);
      const { path } = await privacy.openExport.call({ password });
      await queries.invalidateQueries({ queryKey: privacy.showExport.key() });
      onDone();
      // An attachment: the browser saves it, and the page stays.
      window.location.assign(path);
    },
    onFault: (_faults, error) => {
      onBusy(false);
      onFault(error);
    },
  });
  return (
    <form id={formId} onSubmit={form.submit} noValidate className="grid gap-3">
      <input type="hidden" name="username" autoComplete="username" value={me?.user?.email ?? ''} readOnly />
      <PasswordField label="Your password" {...form.text('password')} />
      {isAsked && <SecondFactorField {...form.text('code')} />}
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
    </form>
  );
}
