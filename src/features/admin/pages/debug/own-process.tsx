import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ScrollText, Undo2 } from 'lucide-react';
import { formatDuration, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { List } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminDebug } from '../../admin-calls.tsx';
import type { EnvironmentSetting, LogLevelState } from '../../debug-contract.ts';

const refreshMs = 10_000;

/** How much is written into the log, and with which variables of the environment the process that answers was started. */
export function OwnProcess() {
  const level = useQuery(adminDebug.logLevel.queryOptions({ input: {}, refetchInterval: refreshMs }));
  const environment = useQuery(adminDebug.environment.queryOptions({ input: {} }));
  return (
    <>
      <section>
        <SectionHeader title="Log" />
        <Loaded query={level} label="Loading the log level">
          {(state) => <LogLevel state={state} />}
        </Loaded>
      </section>
      <section>
        <SectionHeader title="Environment" />
        <Loaded query={environment} label="Loading the environment">
          {({ settings }) => (
            <List label="Environment">
              {settings.map((setting) => (
                <li key={setting.name}>
                  <Setting setting={setting} />
                </li>
              ))}
            </List>
          )}
        </Loaded>
        <p className="mt-3 text-13 text-pretty text-quiet">
          With these the process that answered was started; defaults are among them. Of secrets, and of addresses that
          may carry one, it only says whether they are set.
        </p>
      </section>
    </>
  );
}

function LogLevel({ state: { level, usual, until } }: { state: LogLevelState }) {
  const now = useNow();
  const settled = useSettled();
  const raise = useWrite(adminDebug.raiseLogLevel.mutationOptions(settled));
  const restore = useWrite(adminDebug.restoreLogLevel.mutationOptions(settled));
  return (
    <Card className="grid gap-3" tone={until === null ? 'plain' : 'ember'}>
      <p className="flex flex-wrap items-center gap-2">
        <span>Level</span>
        <Chip tone={until === null ? 'plain' : 'ember'}>{level}</Chip>
        {until !== null && (
          <span role="status" className="text-13 text-quiet tabular-nums">
            {`Back to ${usual} in ${formatDuration(until.getTime() - now.getTime())}`}
          </span>
        )}
      </p>
      <p className="text-13 text-pretty text-quiet">
        Details are one more line for each call and job: ids, codes and times, nothing of a person. They are written by
        every process that runs when you ask; one that is started later has its usual level.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" icon={ScrollText} busy={raise.isPending} onClick={() => raise.mutate({})}>
          {until === null ? 'Write details for 15 minutes' : 'Another 15 minutes from now'}
        </Button>
        {until !== null && (
          <Button variant="outline" icon={Undo2} busy={restore.isPending} onClick={() => restore.mutate({})}>
            End it now
          </Button>
        )}
      </div>
    </Card>
  );
}

function useSettled() {
  const queries = useQueryClient();
  return {
    onSuccess: (state: LogLevelState) => void queries.setQueryData(adminDebug.logLevel.queryKey({ input: {} }), state),
    onError: (error: unknown) => {
      toast.error({ title: "That didn't work", message: Object.values(faultsOf(error))[0] });
    },
  };
}

function Setting({ setting: { name, about, isSet, value, isMasked } }: { setting: EnvironmentSetting }) {
  return (
    <div className="grid gap-0.5 px-4 py-3.5">
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="font-mono text-13 wrap-anywhere">{name}</span>
        {value === null ? (
          <Chip tone={isSet ? 'moss' : 'plain'}>{isSet ? 'Set' : 'Not set'}</Chip>
        ) : (
          <span className="font-medium wrap-anywhere">{isolate(value)}</span>
        )}
      </p>
      <p className="text-13 text-pretty text-quiet">{isMasked ? `${about} · never shown` : about}</p>
    </div>
  );
}
