import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { settingRules } from '#features/settings/rules.ts';
import {
  describeSetting,
  formatSetting,
  groupOf,
  type SettingGroup,
  settingGroups,
} from '#features/settings/values.ts';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { SearchField } from '#ui/forms/search-field.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { List } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminSettings } from '../admin-calls.tsx';
import type { ListedSetting } from '../settings-contract.ts';
import { SettingDialog } from './setting-dialog.tsx';

export const meta = () => [{ title: 'Settings · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const reaches = [
  { value: 'all', label: 'All' },
  { value: 'changed', label: 'Changed' },
] as const;
type Reach = (typeof reaches)[number]['value'];

/** Every limit, price and switch of the installation. */
export default function SettingsPage() {
  const query = useQuery(adminSettings.list.queryOptions({ input: {} }));
  return (
    <>
      <PageHeader
        title="Settings"
        facts="A change is in force on the next request of every process."
        actions={
          <>
            <ButtonLink to="/admin/settings/claims" variant="outline">
              Claims
            </ButtonLink>
            <ButtonLink to="/admin/settings/invitations" variant="outline">
              Join links
            </ButtonLink>
          </>
        }
      />
      <Loaded query={query} label="Loading the settings">
        {({ settings }) => <Settings settings={settings} />}
      </Loaded>
    </>
  );
}

const isChanged = ({ key, value }: ListedSetting) => value !== settingRules[key].default;

/** Whether a setting is about what is looked for: by its key, its sentence or its group. */
function isAbout({ key }: ListedSetting, sought: string): boolean {
  const words = `${key} ${describeSetting(key)} ${settingGroups[groupOf(key)]}`.toLowerCase();
  return sought
    .toLowerCase()
    .split(' ')
    .every((word) => words.includes(word));
}

function Settings({ settings }: { settings: readonly ListedSetting[] }) {
  const [sought, setSought] = useState('');
  const [reach, setReach] = useState<Reach>('all');
  const [openKey, setOpenKey] = useState<ListedSetting['key']>();
  const open = settings.find(({ key }) => key === openKey);
  const shown = settings.filter(
    (setting) => (reach === 'all' || isChanged(setting)) && isAbout(setting, sought.trim()),
  );
  const groups = (Object.keys(settingGroups) as SettingGroup[])
    .map((group) => ({ group, members: shown.filter(({ key }) => groupOf(key) === group) }))
    .filter(({ members }) => members.length > 0);
  return (
    <div className="grid max-w-190 gap-8">
      <div className="flex flex-wrap items-end gap-3">
        <SearchField className="min-w-0 grow basis-64" label="Find a setting" value={sought} onSearch={setSought} />
        <Segmented label="Which settings" value={reach} onChange={setReach} options={reaches} />
      </div>
      {groups.length === 0 && (
        <EmptyState icon={SlidersHorizontal} title="No setting was found">
          {sought.trim() === '' ? 'Every setting has its default.' : 'Try another word, or part of a name.'}
        </EmptyState>
      )}
      {groups.map(({ group, members }) => (
        <section key={group}>
          <SectionHeader title={settingGroups[group]} />
          <List label={settingGroups[group]}>
            {members.map((setting) => (
              <li key={setting.key}>
                <SettingRow setting={setting} onChange={() => setOpenKey(setting.key)} />
              </li>
            ))}
          </List>
        </section>
      ))}
      {open !== undefined && <SettingDialog key={open.key} setting={open} onClose={() => setOpenKey(undefined)} />}
    </div>
  );
}

function SettingRow({ setting, onChange }: { setting: ListedSetting; onChange: () => void }) {
  const { key, value } = setting;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3.5">
      <div className="grid min-w-0 grow basis-64 gap-0.5">
        <p className="text-pretty">{describeSetting(key)}</p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 text-quiet">
          <span className="wrap-anywhere">{key}</span>
          {isChanged(setting) && (
            <>
              <Chip>Changed</Chip>
              <span>{`Default: ${formatSetting(key, settingRules[key].default)}`}</span>
            </>
          )}
        </p>
        <LastChange changed={setting.changed} />
      </div>
      <Button variant="outline" className="max-w-full" onClick={onChange}>
        <span className="sr-only">{`Change ${key}: `}</span>
        <span className="line-clamp-2 wrap-anywhere tabular-nums">{isolate(formatSetting(key, value))}</span>
      </Button>
    </div>
  );
}

function LastChange({ changed }: Pick<ListedSetting, 'changed'>) {
  if (changed === null) return null;
  const { at, by, email } = changed;
  const who = by === 'command_line' ? 'from the command line' : `by ${isolate(email ?? 'an account that is gone')}`;
  return (
    <p className="text-13 wrap-anywhere text-quiet">
      <span>{`Last changed ${who} `}</span>
      <RelativeTime at={at} />
    </p>
  );
}
