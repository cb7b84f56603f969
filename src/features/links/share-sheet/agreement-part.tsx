import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { agreements } from '../agreements/agreements-calls.tsx';
import { type Agreement, longestAgreement, longestAgreementTitle } from '../agreements/agreements-contract.ts';
import { type FormProps, Without } from './limit-parts.tsx';
import type { RulesProps } from './rules-props.ts';
import { Choices, Word } from './sentence-part.tsx';

/** The texts of this creator, and one that a link asks for in a version that isn't the newest. */
function useAgreements(linkId: string | undefined) {
  const list = useQuery(agreements.list.queryOptions({ input: {} }));
  const ofLink = useQuery({
    ...agreements.ofLink.queryOptions({ input: { linkId: linkId ?? '' } }),
    enabled: linkId !== undefined,
  });
  const own = ofLink.data?.agreement;
  const known = list.data?.agreements ?? [];
  return { list, known: own && !known.some(({ id }) => id === own.id) ? [...known, own] : known };
}

/** "House rules": what whoever opens the link agrees to first. */
export function AgreementWord(props: RulesProps & { agreementId: string }) {
  const { known } = useAgreements(props.linkId);
  const chosen = known.find(({ id }) => id === props.agreementId);
  return (
    <Word word={chosen ? isolate(chosen.title) : 'your text'} title="Agreement">
      {(close) => <AgreementForm {...props} close={close} />}
    </Word>
  );
}

/** One of the texts that there are, or a new one. */
export function AgreementForm({ rules: { agreementId }, onChange, close, linkId }: FormProps) {
  const { list, known } = useAgreements(linkId);
  const [written, setWritten] = useState<Agreement | 'new'>();
  const chosen = known.find(({ id }) => id === agreementId);
  const choose = (id: string | undefined) => onChange({ agreementId: id });
  if (list.isPending) return <Spinner className="mx-auto my-6 size-6" />;
  if (list.isError)
    return (
      <>
        <p className="text-rust">{list.error.message}</p>
        <Button variant="outline" onClick={() => void list.refetch()}>
          Try again
        </Button>
      </>
    );
  if (written !== undefined || known.length === 0)
    return (
      <TextForm
        before={written === 'new' ? undefined : written}
        onSaved={({ id }) => {
          choose(id);
          close();
        }}
      />
    );
  return (
    <>
      <Choices
        close={close}
        choices={known.map(({ id, title, version }) => ({
          label: version > 1 ? `${isolate(title)}, version ${version}` : isolate(title),
          isOn: id === agreementId,
          pick: () => choose(id),
        }))}
      />
      {chosen && (
        <Button variant="outline" onClick={() => setWritten(chosen)}>
          Change the text
        </Button>
      )}
      <Button variant="outline" onClick={() => setWritten('new')}>
        Write a new one
      </Button>
      {agreementId !== undefined && <Without label="No agreement" onRemove={() => choose(undefined)} close={close} />}
    </>
  );
}

/** @param before the version that is changed; without it a new text begins */
function TextForm({ before, onSaved }: { before: Agreement | undefined; onSaved: (agreement: Agreement) => void }) {
  const queries = useQueryClient();
  const [title, setTitle] = useState(before?.title ?? '');
  const [body, setBody] = useState(before?.body ?? '');
  const [asksName, setAsksName] = useState(before?.asksName ?? false);
  const save = useWrite(
    agreements.save.mutationOptions({
      onSuccess: async (agreement) => {
        await queries.invalidateQueries({ queryKey: agreements.key() });
        onSaved(agreement);
      },
      onError: ({ message }) => toast.error({ title: "Couldn't save the text", message }),
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ title, body, asksName, ...(before && { familyId: before.familyId }) });
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Field
        label="Title"
        required
        maxLength={longestAgreementTitle}
        autoComplete="off"
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
      <Textarea
        label="Text"
        required
        maxLength={longestAgreement}
        value={body}
        onChange={(event) => setBody(event.target.value)}
        style={{ maxHeight: '10rem' }}
      />
      <Checkbox label="They type their name" checked={asksName} onChange={setAsksName} />
      {before && <p className="text-13 text-quiet">A changed text is a new version: this link asks everyone again.</p>}
      <Button type="submit" busy={save.isPending} disabled={title.trim() === '' || body.trim() === ''}>
        Ask to agree
      </Button>
    </form>
  );
}
