import { ORPCError } from '@orpc/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { type SettingKey, type SettingRule, settingRules } from '#features/settings/rules.ts';
import {
  describeBounds,
  describeSetting,
  formatSetting,
  isPrice,
  readSettingValue,
} from '#features/settings/values.ts';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { adminSettings } from '../admin-calls.tsx';
import type { ListedSetting } from '../settings-contract.ts';

const formId = 'setting';
/** Texts that may be longer get several lines. */
const longestLine = 100;

/** What is typed for a value that is none is refused here, and what does not fit the rest by the server. */
const shapeOf = (key: SettingKey) =>
  z.object({
    value: z.string().transform((typed, refinement): number | string => {
      const value = readSettingValue(key, typed);
      if (value !== undefined) return value;
      refinement.addIssue({ code: 'custom', message: describeBounds(key) });
      return z.NEVER;
    }),
    /** Typed once more, where somebody pays by it. */
    confirmed: z.string(),
  });

/** A value as it stands in the field. */
const typedOf = (key: SettingKey, value: number | string): string =>
  typeof value === 'string' ? value : formatSetting(key, value);

/** The form of one setting: a value, and where somebody pays by it a second step in which the new one is typed again. */
function useSettingForm({ key, value: seen }: ListedSetting, onDone: () => void) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<number | string>();
  const save = async (value: number | string) => {
    const isDefault = value === settingRules[key].default;
    try {
      await adminSettings.change.call({ key, value: isDefault ? null : value, seen });
    } catch (error) {
      setAsked(undefined);
      // What it is now stands beside what was typed, and may be replaced once it was seen.
      if (error instanceof ORPCError && error.code === 'CONFLICT')
        await queries.invalidateQueries({ queryKey: adminSettings.key() });
      throw error;
    }
    // It may be about whatever any page says.
    await queries.invalidateQueries();
    toast.success({ title: 'Changed', message: `${key}: ${formatSetting(key, value)}` });
    onDone();
  };
  const form = useForm({
    shape: shapeOf(key),
    initial: { value: typedOf(key, seen), confirmed: '' },
    send: async ({ value, confirmed }) => {
      if (isAskedTwice(key, value) && value !== seen && asked !== value) {
        form.set('confirmed', '');
        return setAsked(value);
      }
      if (isPrice(key) && asked !== undefined && readSettingValue(key, confirmed) !== value)
        throw new ORPCError('VALIDATION', { data: { field: 'confirmed' }, message: toConfirm(key, value) });
      await save(value);
    },
  });
  return { form, asked, back: () => setAsked(undefined) };
}

/** Prices, and what keeps everybody out. */
const isAskedTwice = (key: SettingKey, value: number | string) =>
  isPrice(key) || (key === 'site.maintenance' && value === 1);

const toConfirm = (key: SettingKey, value: number | string) => `Type ${formatSetting(key, value)} to confirm`;

const maintenanceWords =
  'Everybody but administrators is shut out at once, and open viewer screens close. What is being uploaded goes on when it ends within two hours. Signing in, revoking links, locking everything and reporting a picture still work.';

function wordsOf(key: SettingKey, isAsked: boolean): { title: string; about: string; confirm: string } {
  if (!isAsked) return { title: key, about: describeSetting(key), confirm: 'Save' };
  if (isPrice(key)) return { title: 'Change this amount?', about: describeSetting(key), confirm: 'Change it' };
  return { title: 'Begin maintenance?', about: maintenanceWords, confirm: 'Begin maintenance' };
}

/** Changes one setting; whoever changes what people pay types the new value once more. */
export function SettingDialog({ setting, onClose }: { setting: ListedSetting; onClose: () => void }) {
  const { key, value: seen } = setting;
  const { form, asked, back } = useSettingForm(setting, onClose);
  const isAsked = asked !== undefined;
  const { title, about, confirm } = wordsOf(key, isAsked);
  const { kind } = settingRules[key];
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={about}
      actions={
        <>
          <Button type="submit" form={formId} busy={form.isBusy}>
            {confirm}
          </Button>
          <Button variant="outline" onClick={isAsked ? back : onClose}>
            {isAsked ? 'Back' : 'Cancel'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        {isAsked && isPrice(key) && (
          <>
            <p className="text-21 tabular-nums">{`${formatSetting(key, seen)} → ${formatSetting(key, asked)}`}</p>
            <Field label={toConfirm(key, asked)} maxLength={40} autoComplete="off" {...form.text('confirmed')} />
          </>
        )}
        {!isAsked && <Value setting={setting} form={form} />}
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults[''] ?? (kind === 'switch' ? form.faults.value : undefined)}
        </p>
      </form>
    </Dialog>
  );
}

type Form = Pick<
  ReturnType<typeof useForm<{ value: string; confirmed: string }, ReturnType<typeof shapeOf>>>,
  'text' | 'set' | 'values'
>;

function ValueField({ settingKey, form }: { settingKey: SettingKey; form: Form }) {
  const rule: SettingRule = settingRules[settingKey];
  if (rule.kind === 'switch')
    return (
      <Switch
        label={form.values.value === 'On' ? 'On' : 'Off'}
        checked={form.values.value === 'On'}
        onChange={(isOn) => form.set('value', isOn ? 'On' : 'Off')}
      />
    );
  const hint = describeBounds(settingKey);
  if (rule.kind === 'text' && rule.maxLength > longestLine)
    return <Textarea label="Value" hint={hint} maxLength={rule.maxLength} rows={3} {...form.text('value')} />;
  const mostLetters = rule.kind === 'text' ? rule.maxLength : 40;
  return <Field label="Value" hint={hint} maxLength={mostLetters} autoComplete="off" {...form.text('value')} />;
}

/** The value that is typed, beside it the one in force, and the way back to the default. */
function Value({ setting: { key, value }, form }: { setting: ListedSetting; form: Form }) {
  const usual: number | string = settingRules[key].default;
  const typed = form.values.value;
  return (
    <>
      <ValueField settingKey={key} form={form} />
      {typed !== typedOf(key, value) && (
        <p className="text-13 wrap-anywhere text-quiet">{`In force: ${isolate(formatSetting(key, value))}`}</p>
      )}
      {typed !== typedOf(key, usual) && (
        <Button variant="outline" className="justify-self-start" onClick={() => form.set('value', typedOf(key, usual))}>
          {`Back to default: ${formatSetting(key, usual)}`}
        </Button>
      )}
    </>
  );
}
