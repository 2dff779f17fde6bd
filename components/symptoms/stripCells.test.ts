import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { columnAt, stripSpans } from './stripCells';

const strip = (change: Partial<SymptomStripResponse>): SymptomStripResponse => ({
  patientId: 1,
  from: '2026-03-05T12:00:00.000Z',
  to: '2026-03-07T12:00:00.000Z',
  isDaily: true,
  columns: [],
  rows: [],
  reported: [],
  truncated: false,
  ...change,
});
const columns = (...times: string[]) => times.map((at) => ({ at, reports: 1, unreadable: 0, redFlags: [] }));

describe('the columns of a strip', () => {
  it('are days from their beginning to their end, the first and the last as far as they are shown', () => {
    const spans = stripSpans(
      strip({ columns: columns('2026-03-05T00:00:00Z', '2026-03-06T00:00:00Z', '2026-03-07T00:00:00Z') }),
      400,
    );
    expect(spans).toEqual([
      { left: 0, width: 99 },
      { left: 100, width: 199 },
      { left: 300, width: 99 },
    ]);
    expect([columnAt(spans, 0), columnAt(spans, 150), columnAt(spans, 399), columnAt(spans, 400)]).toEqual([
      0,
      1,
      2,
      null,
    ]);
  });

  it('are reports around their time, and the newest of two in one place is the one pointed at', () => {
    const spans = stripSpans(
      strip({ isDaily: false, columns: columns('2026-03-06T12:00:00Z', '2026-03-06T12:05:00Z') }),
      400,
    );
    expect(spans[0]).toEqual({ left: 193, width: 14 });
    expect(columnAt(spans, 200)).toBe(1);
    expect(columnAt(spans, 20)).toBeNull();
  });

  it('are whole for a report of this minute and for the oldest one, at the ends of the axis', () => {
    const ends = columns('2026-03-05T12:00:00Z', '2026-03-07T12:00:00Z');
    expect(stripSpans(strip({ isDaily: false, columns: ends }), 400)).toEqual([
      { left: 0, width: 14 },
      { left: 386, width: 14 },
    ]);
  });
});
