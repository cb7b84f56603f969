import { toast } from '#ui/feedback/toast.ts';
import { Switch } from '#ui/forms/switch.tsx';
import { Card } from '#ui/layout/card.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { Me } from '../contract.ts';
import { accounts } from '../guard.tsx';

type PublicPageSwitchProps = {
  user: Pick<NonNullable<Me['user']>, 'handle' | 'hasPublicPage'>;
  onChanged: () => Promise<void>;
};

/** Off by default, so that only people with a link see anything of them. */
export function PublicPageSwitch({ user: { handle, hasPublicPage }, onChanged }: PublicPageSwitchProps) {
  const change = useWrite(
    accounts.setPublicPage.mutationOptions({
      onError: ({ message }) => toast.error({ title: "Couldn't save the change", message }),
      onSettled: onChanged,
    }),
  );
  const isOn = change.isPending ? change.variables.isOn : hasPublicPage;
  return (
    <Card aria-label="Public page" className="grid gap-1">
      <Switch
        label="Public page"
        hint={
          isOn
            ? 'Anyone can see your picture, name and bio there. No albums are listed, and search engines are asked not to index it.'
            : 'Off: only people with one of your links see anything about you.'
        }
        checked={isOn}
        disabled={change.isPending}
        onChange={(wanted) => change.mutate({ isOn: wanted })}
      />
      {hasPublicPage && handle !== null && (
        <a
          href={`/@${handle}`}
          className="inline-flex min-h-11 max-w-full items-center justify-self-start font-strong break-all text-plum underline-offset-4 hover:underline"
        >
          {`${window.location.host}/@${handle}`}
        </a>
      )}
    </Card>
  );
}
