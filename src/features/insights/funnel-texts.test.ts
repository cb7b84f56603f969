import { expect, it } from 'vitest';
import { funnelSteps } from './funnel-texts.ts';

it('each step says its share of those who tapped, and how many went no further', () => {
  const steps = funnelSteps({ tapped: 1200, atGates: 1100, letIn: 60, viewed: 60, paid: 3 });
  expect(steps.map(({ name, count, percent, lost }) => [name, count, percent, lost])).toEqual([
    ['Tapped Open', 1200, '100%', undefined],
    ['At the gates', 1100, '92%', '100 found a link that was over, full or not open to them'],
    ['Let in', 60, '5%', '1,040 went no further than the gates'],
    ['Viewed', 60, '5%', undefined],
    ['Paid', 3, 'under 1%', undefined],
  ]);
});
