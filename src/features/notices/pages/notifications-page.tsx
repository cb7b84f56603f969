import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { Card } from '#ui/layout/card.tsx';
import { List } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { NoticeSettings } from '../contract.ts';
import { canPush, isSubscribed, notices, subscribe, unsubscribe } from './browser-push.tsx';
import { channelOptions, eventRows, readTime, stoppedWords, writeTime } from './notice-rows.ts';

export const meta = () => [{ title: 'Notifications · PrivateFans' }, { name: 'robots', content: 'noindex' }];

type PartProps = { settings: NoticeSettings };

/** What they hear about, how, and when not. */
export default function NotificationsPage() {
  const { data, isPending, isError, refetch } = useQuery(notices.settings.queryOptions());
  return (
    <div className="grid max-w-160 gap-8">
      {isPending && <SkeletonRows rows={5} label="Loading your notifications" />}
      {isError && <ErrorState onRetry={() => void refetch()} />}
      {data && (
        <>
          {data.mailStopped !== null && <MailStopped reason={data.mailStopped} />}
          <Events settings={data} />
          <ThisBrowser settings={data} />
          <Quiet key={JSON.stringify(data.quiet)} settings={data} />
          <News settings={data} />
        </>
      )}
    </div>
  );
}

/** Saves one change and shows what is stored then. */
function useChange() {
  const queries = useQueryClient();
  return useWrite(
    notices.change.mutationOptions({
      onError: ({ message }) => toast.error({ title: "Couldn't save the change", message }),
      onSettled: () => queries.invalidateQueries({ queryKey: notices.settings.key() }),
    }),
  );
}

function Events({ settings: { channels } }: PartProps) {
  const change = useChange();
  const shown = { ...channels, ...(change.isPending ? change.variables.channels : {}) };
  return (
    <section>
      <SectionHeader title="What you hear about" />
      <p className="mb-4 text-quiet">
        What isn't sent right away comes together, at most once an hour. If no browser can receive push notifications,
        we send an email instead. Notices never say what a link or an album is called.
      </p>
      <List label="Notifications">
        {eventRows.map(({ event, title, text }) => (
          <li key={event} className="grid gap-2 px-4 py-3.5 sm:grid-cols-[1fr_auto] sm:items-center sm:gap-4">
            <div>
              <p className="font-strong">{title}</p>
              <p className="text-13 text-quiet">{text}</p>
            </div>
            <Segmented
              label={title}
              options={channelOptions}
              value={shown[event]}
              onChange={(channel) => change.mutate({ channels: { [event]: channel } })}
            />
          </li>
        ))}
      </List>
    </section>
  );
}

function MailStopped({ reason }: { reason: NonNullable<NoticeSettings['mailStopped']> }) {
  const queries = useQueryClient();
  const resume = useWrite(
    notices.resumeMail.mutationOptions({
      onSuccess: () => toast.success({ title: 'Emails are on again' }),
      onError: ({ message }) => toast.error({ title: "Couldn't turn emails on", message }),
      onSettled: () => queries.invalidateQueries({ queryKey: notices.settings.key() }),
    }),
  );
  return (
    <Card aria-label="Emails are off" className="grid gap-3">
      <p className="font-strong">Notices by email are off</p>
      <p className="text-quiet">{stoppedWords[reason]}</p>
      <Button
        variant="outline"
        className="justify-self-start"
        busy={resume.isPending}
        onClick={() => resume.mutate({})}
      >
        Turn emails on again
      </Button>
    </Card>
  );
}

/** Whether pushes come to the browser that shows this page. */
function ThisBrowser({ settings: { pushKey, userId } }: PartProps) {
  const { data: isOn = false, refetch } = useQuery({
    queryKey: ['push here', userId, pushKey],
    queryFn: () => isSubscribed(userId, pushKey),
  });
  const change = useWrite({
    mutationFn: async (wanted: boolean) => {
      if (!wanted) return unsubscribe();
      if (!(await subscribe(pushKey, userId)))
        toast.warning({ title: 'Notifications are blocked', message: 'Allow them in the settings of your browser.' });
    },
    onError: () => toast.error({ title: "Couldn't change it", message: "This browser didn't accept the change." }),
    onSettled: () => refetch(),
  });
  return (
    <section>
      <SectionHeader title="This browser" />
      <Card aria-label="Push notifications here">
        {canPush() ? (
          <Switch
            label="Push notifications here"
            hint="They end when you sign out."
            checked={change.isPending ? change.variables : isOn}
            disabled={change.isPending}
            onChange={(wanted) => change.mutate(wanted)}
          />
        ) : (
          <p className="flex items-center gap-3 text-quiet">
            <BellRing className="flex-none" aria-hidden="true" />
            This browser doesn't support push notifications. On an iPhone, add PrivateFans to your home screen and open
            it from there.
          </p>
        )}
      </Card>
    </section>
  );
}

/** What they agreed to in the setup, or did not. */
function News({ settings: { wantsNews } }: PartProps) {
  const change = useChange();
  return (
    <section>
      <SectionHeader title="News" />
      <Card aria-label="News">
        <Switch
          label="Send me occasional news"
          hint="By email, about PrivateFans itself. Emails about your account come either way."
          checked={change.isPending ? change.variables.wantsNews === true : wantsNews}
          disabled={change.isPending}
          onChange={(wanted) => change.mutate({ wantsNews: wanted })}
        />
      </Card>
    </section>
  );
}

const usualQuiet = { from: 22 * 60, until: 8 * 60 };

/** From and until when nothing comes. */
function Quiet({ settings: { quiet, timeZone } }: PartProps) {
  const change = useChange();
  const [times, setTimes] = useState(quiet ?? usualQuiet);
  const set = (end: 'from' | 'until', text: string) => {
    const minute = readTime(text);
    if (minute !== undefined) setTimes({ ...times, [end]: minute });
  };
  const isSame = times.from === times.until;
  const isChanged = quiet !== null && (times.from !== quiet.from || times.until !== quiet.until);
  return (
    <section>
      <SectionHeader title="Quiet hours" />
      <Card aria-label="Quiet hours" className="grid gap-4">
        <Switch
          label="No notifications at night"
          hint={`What happens during them is sent afterwards. Times are in ${timeZone}.`}
          checked={quiet !== null}
          disabled={change.isPending}
          onChange={(wanted) => change.mutate({ quiet: wanted ? times : null })}
        />
        {quiet !== null && (
          <div className="flex flex-wrap items-end gap-3">
            <Field
              label="From"
              type="time"
              value={writeTime(times.from)}
              onChange={(e) => set('from', e.target.value)}
            />
            <Field
              label="Until"
              type="time"
              value={writeTime(times.until)}
              error={isSame ? 'Choose two different times' : undefined}
              onChange={(e) => set('until', e.target.value)}
            />
            {isChanged && (
              <Button disabled={isSame} busy={change.isPending} onClick={() => change.mutate({ quiet: times })}>
                Save times
              </Button>
            )}
          </div>
        )}
      </Card>
    </section>
  );
}
