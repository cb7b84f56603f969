import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { SearchField } from '#ui/forms/search-field.tsx';

/** One line to search by; Enter or the button asks. */
export function SearchBox({
  label,
  hint,
  initial = '',
  onSearch,
  busy = false,
  fewest = 1,
}: {
  label: string;
  hint: string;
  initial?: string;
  onSearch: (text: string) => void;
  busy?: boolean;
  /** So many letters are searched for at least. */
  fewest?: number;
}) {
  const [text, setText] = useState(initial);
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isEnough = text.trim().length >= fewest;
    setError(isEnough ? undefined : `Use at least ${fewest} characters`);
    if (isEnough) onSearch(text.trim());
  };
  return (
    <form onSubmit={submit} noValidate className="mb-6 flex max-w-160 items-start gap-3">
      <SearchField
        className="min-w-0 grow"
        label={label}
        hint={hint}
        error={error}
        maxLength={254}
        value={text}
        onSearch={setText}
      />
      {/* Beside the line itself, whatever stands below it. */}
      <Button type="submit" icon={Search} busy={busy} className="mt-8">
        Search
      </Button>
    </form>
  );
}
