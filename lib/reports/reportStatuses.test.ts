import fc from 'fast-check';
import { reportStatuses, statusesAfter, type ReportStatus } from './reportStatuses';

const isStatus = (text: string): text is ReportStatus => Object.hasOwn(reportStatuses, text);
const all = Object.keys(reportStatuses).filter(isStatus);

/** Written by hand a second time. */
const allowed: readonly string[] = [
  'new triaged',
  'triaged investigating',
  'triaged actioned',
  'triaged closed',
  'investigating actioned',
  'investigating closed',
  'actioned investigating',
  'actioned closed',
  'closed reopened',
  'reopened investigating',
  'reopened actioned',
  'reopened closed',
];

describe('the status of an issue report', () => {
  it.each(all.flatMap((from) => all.map((to) => [from, to] as const)))('%s, then %s: as the table says', (from, to) => {
    expect(statusesAfter(from).includes(to)).toBe(allowed.includes(`${from} ${to}`));
  });

  it('never comes back to new, is triaged before anything else, and can always be closed from there', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), (choices) => {
        const path: ReportStatus[] = ['new'];
        for (const choice of choices) {
          const next = statusesAfter(path.at(-1) ?? 'new');
          path.push(next[choice % next.length] ?? 'new');
        }
        expect(path.lastIndexOf('new')).toBe(0);
        expect(path[1] ?? 'triaged').toBe('triaged');
        const last = path.at(-1) ?? 'new';
        expect(last === 'new' || last === 'closed' || statusesAfter(last).includes('closed')).toBe(true);
      }),
    );
  });
});
