import { type FormEvent, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { Card } from '#ui/layout/card.tsx';
import type { LinkRulesInput, MagicLink } from '../contract.ts';
import { ProtectionFields } from '../share-sheet/protection-part.tsx';

const notices = [
  { value: 'first', label: "When it's first opened" },
  { value: 'every', label: 'Every time' },
  { value: 'none', label: 'Never' },
] as const;

interface Texts {
  linkName: string;
  note: string;
  welcomeText: string;
  notify: MagicLink['notify'];
}

/** How a change leaves: the page's own mutation. */
interface Update {
  isPending: boolean;
  mutate(
    input: { linkId: string; rules?: LinkRulesInput; policyVersion?: number } & Partial<Texts>,
    options?: { onSuccess: () => void },
  ): void;
}

/** Everything of a link that the sentence does not say. */
export function LinkDetails({ link, update }: { link: MagicLink; update: Update }) {
  const { password: _derived, ...rules } = link.policy;
  const rule = (change: Partial<LinkRulesInput>) =>
    update.mutate({ linkId: link.id, rules: { ...rules, ...change }, policyVersion: link.policyVersion });
  return (
    <div className="grid gap-5">
      {!link.isRevoked && (
        <Card>
          <h2 className="mb-1 text-21">Protection</h2>
          <ProtectionFields rules={rules} onChange={rule} />
        </Card>
      )}
      <TextsCard link={link} update={update} />
    </div>
  );
}

function TextsCard({ link, update }: { link: MagicLink; update: Update }) {
  const { linkName, note, welcomeText, notify } = link;
  const [texts, setTexts] = useState<Texts>({ linkName, note, welcomeText, notify });
  const set = <Name extends keyof Texts>(name: Name, value: Texts[Name]) => setTexts({ ...texts, [name]: value });
  const save = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ linkId: link.id, ...texts }, { onSuccess: () => toast.success({ title: 'Saved' }) });
  };
  return (
    <Card>
      <form onSubmit={save} className="grid gap-4">
        <h2 className="text-21">Texts</h2>
        <Field
          label="Link name"
          hint="Only you see it."
          maxLength={80}
          value={texts.linkName}
          onChange={(event) => set('linkName', event.target.value)}
        />
        <Textarea
          label="Welcome text"
          hint="Shown with your name above the first picture."
          maxLength={300}
          value={texts.welcomeText}
          onChange={(event) => set('welcomeText', event.target.value)}
        />
        <Textarea
          label="Note"
          hint="Only you see it."
          maxLength={200}
          value={texts.note}
          onChange={(event) => set('note', event.target.value)}
        />
        <Select label="Notify me" options={notices} value={texts.notify} onChange={(when) => set('notify', when)} />
        <Button type="submit" busy={update.isPending} className="justify-self-start">
          Save
        </Button>
      </form>
    </Card>
  );
}
