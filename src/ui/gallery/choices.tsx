import { useState } from 'react';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Chips } from '#ui/forms/chips.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Select } from '#ui/forms/select.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { GallerySection } from '#ui/gallery/gallery-section.tsx';

const filters = [
  { value: 'all', label: 'All', count: 18 },
  { value: 'active', label: 'Active', count: 11 },
  { value: 'unopened', label: 'Never opened', count: 4 },
  { value: 'ended', label: 'Ended', count: 7 },
];
const ends = [
  { value: '1', label: '24 hours' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days', hint: 'What most creators take' },
  { value: 'never', label: 'Never' },
];

/** What is chosen. */
export function Choices() {
  const [filter, setFilter] = useState('all');
  const [end, setEnd] = useState<string>();
  const [span, setSpan] = useState('week');
  return (
    <GallerySection title="Choices">
      <Chips label="Which links" options={filters} value={filter} onChange={setFilter} />
      <Segmented
        label="Time"
        options={[
          { value: 'day', label: 'Day' },
          { value: 'week', label: 'Week' },
          { value: 'month', label: 'Month' },
        ]}
        value={span}
        onChange={setSpan}
      />
      <Select
        label="Ends"
        options={ends}
        value={end}
        onChange={setEnd}
        placeholder="Choose when"
        hint="You can revoke it at any time."
      />
      <Select
        label="Country"
        options={ends}
        value={undefined}
        onChange={setEnd}
        placeholder="Choose"
        error="Choose where you live."
      />
      <div>
        <Checkbox label="I am 18 or older and accept the terms." defaultChecked />
        <Checkbox label="Send me occasional news." />
        <Checkbox label="Everyone in these photos agreed to them." error="Please confirm this to continue." />
        <Checkbox label="Not for you" disabled />
      </div>
      <div>
        <Switch label="Age gate" hint="Viewers confirm that they are 18." defaultChecked />
        <Switch label="Visible mark" />
        <Switch label="Tips" hint="Coming later." disabled />
      </div>
    </GallerySection>
  );
}
