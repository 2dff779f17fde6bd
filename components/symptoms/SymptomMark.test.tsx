import { render } from '@testing-library/react';
import type { ShownSummary } from '../../lib/symptoms/summarySchema';
import { secondsAgo, wardNow } from '../../test/inventedWard';
import { markTexts, SymptomMark } from './SymptomMark';

const hour = 3_600;
const todayFrom = Date.parse('2026-03-07T00:00:00Z');
const summary = (change: Partial<ShownSummary>): ShownSummary => ({
  reportedAt: secondsAgo(hour),
  worst: { symptom: 'cough', grade: 2 },
  redFlags: [],
  redFlagsAt: null,
  breathlessness: null,
  change: null,
  unreadable: false,
  ...change,
});
const textsOf = (change: Partial<ShownSummary>) => markTexts(summary(change), wardNow, todayFrom, 'Europe/London');

describe('the mark of the newest report in a list', () => {
  it.each([
    [{}, '●2', 'Symptoms 14:00: Cough moderate'],
    [{ change: 'worse' as const }, '▲2', 'Symptoms 14:00: Cough moderate, worse'],
    [
      { change: 'new' as const, redFlags: ['seizure' as const] },
      '◆2',
      'Symptoms 14:00: red flag: Seizure, Cough moderate, new',
    ],
    [
      { worst: { symptom: 'cough' as const, grade: 0 as const } },
      '●0',
      'Symptoms 14:00: all that was answered is absent',
    ],
    [{ worst: null }, '●–', 'Symptoms 14:00: none answered'],
    [{ worst: null, breathlessness: 10 }, '●10/10', 'Symptoms 14:00: breathlessness 10 of 10'],
    [{ unreadable: true }, '●2?', 'Symptoms 14:00: Cough moderate, a report cannot be read'],
    [{ unreadable: true, worst: null }, '●?', 'Symptoms 14:00: a report cannot be read'],
    [{ breathlessness: 0 }, '●2', 'Symptoms 14:00: Cough moderate, breathlessness 0 of 10'],
    [
      { redFlags: ['seizure' as const], redFlagsAt: secondsAgo(3 * hour) },
      '◆2',
      'Symptoms 14:00: red flag at 12:00: Seizure, Cough moderate',
    ],
  ])('has a shape for red flags, for what is new or worse, and for all others: %j', (change, glyph, title) => {
    expect(textsOf(change)).toMatchObject({ glyph, title, isToday: true });
  });

  it('has its age, also today', () => {
    const { container } = render(<SymptomMark {...textsOf({ reportedAt: secondsAgo(2 * hour) })} />);
    expect(container.querySelector('[data-step="2"]')).not.toBeNull();
    expect(container.textContent).toBe('●22 hSymptoms 13:00: Cough moderate');
  });

  it('is grey if it is not of the site’s day', () => {
    const texts = textsOf({ reportedAt: secondsAgo(17 * hour) });
    expect(texts.age).toBe('17 h');
    const { container } = render(<SymptomMark {...texts} />);
    expect(container.querySelector('[data-step]')).toBeNull();
    expect(container.textContent).toBe('●217 hSymptoms 06 Mar, 22:00: Cough moderate');
  });
});
