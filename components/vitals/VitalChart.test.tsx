import { render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import userEvent from '@testing-library/user-event';
import type { ChartAlert, ChartMarks } from '../../lib/alerts/chartMarksSchema';
import { chartLine } from '../../lib/vitals/chartLine';
import { chartRows } from '../../lib/vitals/chartRows';
import type { VitalSeries } from '../../lib/vitals/schema';
import { axeViolations } from '../../test/axeViolations';
import type { ChartedKind } from './seriesLook';
import type { PlotLine } from './plotModel';
import { VitalChart } from './VitalChart';

jest.mock('./PointablePlot', () => ({
  PointablePlot: ({ summary, children }: { summary: string; children?: ReactNode }) => (
    <>
      <div role="img" aria-label={summary} />
      {children}
    </>
  ),
}));

const from = Date.parse('2026-03-07T14:00:00Z');
const shared = {
  marks: undefined,
  reported: [],
  window: { from, to: from + 3_600_000 },
  isLive: true,
  notLive: null,
  timeZone: 'Europe/London',
  patientName: 'Okafor, Ada',
  height: 200,
  onSelect: () => {},
  onDoubleClick: () => {},
};

type Sample = [second: number, value: number, quality?: 'good' | 'questionable' | 'invalid'];

function raw(kind: ChartedKind, samples: readonly Sample[]): PlotLine {
  const points = samples.map(([second, value, quality = 'good']) => ({
    takenAt: new Date(from + second * 1_000).toISOString(),
    value,
    quality,
  }));
  const series: VitalSeries = { kind, unit: '', bucketMs: 0, points };
  return { ...chartLine(series, { expectedEveryMs: 1_000, spot: false }), kind };
}

async function openTable(): Promise<string[][]> {
  await userEvent.click(screen.getByText('Table of values'));
  const table = screen.getByRole('table');
  return within(table)
    .getAllByRole('row')
    .map((row) => Array.from(row.children, (cell) => cell.textContent));
}

describe('VitalChart', () => {
  it('says in words what it draws, with the patient’s name', async () => {
    render(
      <VitalChart
        {...shared}
        quantity="spo2"
        lines={[
          raw('spo2', [
            [0, 97],
            [1, 88],
          ]),
        ]}
      />,
    );
    const drawing = await screen.findByRole('img', { name: /SpO2 lowest/ });
    expect(drawing.getAttribute('aria-label')).toBe(
      'Oxygen saturation of Okafor, Ada. 07 Mar, 14:00 to 07 Mar, 15:00 GMT. SpO2 lowest 88 %, highest 97 %, ' +
        'last 88 % at 14:00:01. 1 gap without data, the longest 59 min.',
    );
  });

  it.each([
    ['spo2', 'spo2', 80, null],
    ['spo2', 'spo2', 79, 'Axis changed: 70 to 100'],
    ['spo2', 'spo2', 69, 'Axis changed: 50 to 100'],
    ['rate', 'heartRate', 160, null],
    ['rate', 'heartRate', 161, 'Axis changed: 20 to 240'],
    ['rate', 'heartRate', 0, 'Axis changed: 0 to 240'],
  ] as const)('of %s with a %s of %d says about its axis: %s', (quantity, kind, value, mark) => {
    render(<VitalChart {...shared} quantity={quantity} lines={[raw(kind, [[0, value]])]} />);
    expect(screen.queryByText(/Axis changed/)?.textContent ?? null).toBe(mark);
  });

  it('names the pulse rate PR and never HR', () => {
    render(<VitalChart {...shared} quantity="rate" lines={[raw('heartRate', []), raw('pulseRate', [[0, 61]])]} />);
    expect(screen.getByRole('figure').textContent).toContain('PR');
    expect(screen.getByRole('figure').textContent).not.toContain('HR');
  });

  it('draws both rates under their own names when both came', () => {
    render(
      <VitalChart {...shared} quantity="rate" lines={[raw('heartRate', [[0, 60]]), raw('pulseRate', [[0, 61]])]} />,
    );
    expect(screen.getByRole('figure').textContent).toContain('HR');
    expect(screen.getByRole('figure').textContent).toContain('PR');
  });

  it('has a table of the same values, newest first, in site time', async () => {
    render(
      <VitalChart
        {...shared}
        quantity="spo2"
        lines={[
          raw('spo2', [
            [0, 97],
            [1, 0, 'invalid'],
            [2, 90, 'questionable'],
          ]),
        ]}
      />,
    );
    await expect(openTable()).resolves.toEqual([
      ['Time', 'Value, %', 'Quality'],
      ['07 Mar 2026, 14:00:02 GMT', '90', 'questionable'],
      ['07 Mar 2026, 14:00:01 GMT', '--', 'no signal'],
      ['07 Mar 2026, 14:00:00 GMT', '97', 'good'],
    ]);
  });

  it('shows the extremes and the quality of buckets in the table, each rate by its name', async () => {
    const bucket: VitalSeries = {
      kind: 'heartRate',
      unit: '/min',
      bucketMs: 60_000,
      points: [{ takenAt: new Date(from).toISOString(), min: 0, max: 80, last: 70, count: 60, questionable: 30 }],
      noSignal: [
        { takenAt: new Date(from).toISOString(), count: 1 },
        { takenAt: new Date(from + 60_000).toISOString(), count: 60 },
      ],
    };
    const lines: PlotLine[] = [
      { ...chartLine(bucket, { spot: false }), kind: 'heartRate' },
      raw('pulseRate', [[1, 61]]),
    ];
    render(<VitalChart {...shared} quantity="rate" lines={lines} />);
    await expect(openTable()).resolves.toEqual([
      ['Time', 'Of', 'Last, /min', 'Lowest', 'Highest', 'Samples', 'Quality'],
      ['07 Mar 2026, 14:01:00 GMT', 'HR', '--', '--', '--', '0', 'no signal'],
      ['07 Mar 2026, 14:00:01 GMT', 'PR', '61', '--', '--', '1', 'good'],
      ['07 Mar 2026, 14:00:00 GMT', 'HR', '70', '0', '80', '60', 'questionable, partly no signal'],
    ]);
  });

  it('holds every value of the series, the older ones one button away', async () => {
    const samples = Array.from({ length: 250 }, (_, second): Sample => [second, 80 + (second % 20)]);
    const line = raw('spo2', samples);
    render(<VitalChart {...shared} quantity="spo2" lines={[line]} />);
    await expect(openTable()).resolves.toHaveLength(1 + 100);
    await userEvent.click(screen.getByRole('button', { name: 'Show older values (150 more)' }));
    await userEvent.click(screen.getByRole('button', { name: 'Show older values (50 more)' }));
    expect(screen.queryByRole('button')).toBeNull();
    const values = within(screen.getByRole('table'))
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.children[1]?.textContent);
    expect(values).toEqual(chartRows([line]).map(({ value }) => String(value)));
  });

  it('says so when there is nothing for the table', async () => {
    render(<VitalChart {...shared} quantity="spo2" lines={[raw('spo2', [])]} />);
    await userEvent.click(screen.getByText('Table of values'));
    expect(screen.getByText('No values in this time.')).toBeInstanceOf(HTMLElement);
  });

  it('lets the keyboard reach the table, which scrolls', async () => {
    render(<VitalChart {...shared} quantity="spo2" lines={[raw('spo2', [[0, 97]])]} />);
    await openTable();
    await userEvent.tab();
    expect(document.activeElement).toBe(
      screen.getByRole('region', { name: 'Oxygen saturation of Okafor, Ada, table' }),
    );
  });

  describe('with limits and alerts', () => {
    const at = (second: number): string => new Date(from + second * 1_000).toISOString();
    const alert = (id: number, change: Partial<ChartAlert> = {}): ChartAlert => ({
      id,
      parameter: 'spo2',
      priority: 'high',
      condition: 'ended',
      startedAt: at(600),
      endedAt: at(660),
      raisedAt: at(615),
      acknowledged: { by: { id: 7, name: 'Ines Moreau' }, at: at(700) },
      closedAt: at(700),
      sentence: 'SpO2 low for 1 min, lowest 66, limit < 88',
      lowest: 66,
      highest: 87,
      ...change,
    });
    const marks = (alerts: ChartAlert[]): ChartMarks => ({
      patientId: 4,
      from: at(0),
      to: at(3_600),
      target: { low: 94, high: 98, scale: 1, isConfirmed: true },
      limits: [
        {
          from: at(0),
          scale: 1,
          target: { low: 94, high: 98 },
          isTargetConfirmed: true,
          lines: [
            { parameter: 'spo2', priority: 'high', is: 'below', value: 88, onOxygen: false },
            { parameter: 'spo2', priority: 'medium', is: 'atMost', value: 91, onOxygen: false },
            { parameter: 'rate', priority: 'high', is: 'atLeast', value: 150, onOxygen: false },
          ],
        },
      ],
      alerts,
      hasMoreAlerts: false,
      notes: [{ id: 1, type: 'nursing', eventTime: at(900) }],
    });
    const show = (alerts: ChartAlert[]) =>
      render(<VitalChart {...shared} quantity="spo2" marks={marks(alerts)} lines={[raw('spo2', [[0, 97]])]} />);

    it('says the target, the limits that hold and the number of alerts, as it draws them', () => {
      show([alert(1)]);
      expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(
        / Target 94 to 98 %\. Limits: high < 88, medium ≤ 91\. 1 alert\.$/,
      );
    });

    it('lists them in the table, each with its time', async () => {
      show([alert(1), alert(2, { parameter: 'rate', sentence: 'Heart rate fast' })]);
      await userEvent.click(screen.getByText('Table of values'));
      expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        'Target 94 to 98 %, 07 Mar, 14:00 to 15:00 GMT',
        'High limit < 88 %, 07 Mar, 14:00 to 15:00 GMT',
        'Medium limit ≤ 91 %, 07 Mar, 14:00 to 15:00 GMT',
        'High SpO2 low for 1 min, lowest 66, limit < 88. Began 07 Mar, 14:10:00 GMT, ended 07 Mar, 14:11:00 GMT. ' +
          'Acknowledged by Ines Moreau at 07 Mar, 14:11:40 GMT.',
        'Nursing note, 07 Mar, 14:15',
      ]);
    });

    it('flags a note at the time of its event', () => {
      show([]);
      expect(screen.getByTitle('Nursing note, 14:15').style.left).toBe('25%');
    });

    it('widens the axis for the value of an alert that is not among the values', () => {
      show([alert(1)]);
      expect(screen.getByText('Axis changed: 50 to 100')).toBeTruthy();
    });

    it('shows what an alert said when its bar is pressed, and goes back to the bar', async () => {
      show([alert(1, { acknowledged: null })]);
      const bar = screen.getByRole('button', { name: /^High alert: SpO2 low/ });
      await userEvent.click(bar);
      expect(screen.getByRole('dialog').textContent).toContain('Not acknowledged.');
      await userEvent.keyboard('{Escape}');
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(document.activeElement).toBe(bar);
    });

    it('opens all alerts that lie under one bar', async () => {
      show([alert(1), alert(2, { startedAt: at(630), priority: 'medium', sentence: 'SpO2 signal doubtful' })]);
      await userEvent.click(screen.getByRole('button', { name: '2 alerts: 1 high, 1 medium' }));
      expect(within(screen.getByRole('dialog')).getAllByRole('listitem')).toHaveLength(2);
    });

    it('has no fault that axe finds', async () => {
      const { container } = show([alert(1)]);
      await userEvent.click(screen.getByRole('button', { name: /^High alert/ }));
      await userEvent.click(screen.getByText('Table of values'));
      await expect(axeViolations(container)).resolves.toEqual([]);
    });
  });

  it('has no fault that axe finds', async () => {
    const { container } = render(
      <VitalChart
        {...shared}
        quantity="spo2"
        lines={[
          raw('spo2', [
            [0, 97],
            [1, 60],
          ]),
        ]}
      />,
    );
    await openTable();
    await screen.findByRole('img', { name: /SpO2 lowest/ });
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});
