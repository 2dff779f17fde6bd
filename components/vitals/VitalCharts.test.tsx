import type { ComponentProps } from 'react';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReadState } from '../../hooks/readState';
import { useChartMarks } from '../../hooks/useChartMarks';
import { useServerLost } from '../../hooks/useServerLost';
import { useSymptomStrip } from '../../hooks/useSymptomStrip';
import { useVitals } from '../../hooks/useVitals';
import { clientFailure } from '../../lib/browser/client';
import type { Patient } from '../../lib/patients/schema';
import { chartRanges, type ChartRange } from '../../lib/vitals/chartRanges';
import type { VitalsResponse, VitalSeries } from '../../lib/vitals/schema';
import type { PointablePlot } from './PointablePlot';
import { answered } from '../../test/calls';
import { inventedStrip } from '../../test/inventedStrip';
import { useCharts } from './useCharts';
import { useChartView } from './useChartView';
import { VitalCharts } from './VitalCharts';
import { ZoomControl } from './ZoomControl';

jest.mock('../../hooks/useChartMarks');
jest.mock('../../hooks/useSymptomStrip');
jest.mock('../../hooks/useVitals');
jest.mock('../../hooks/useServerLost');
jest.mock('./PointablePlot', () => ({
  PointablePlot: ({ summary, onSelect, onDoubleClick }: ComponentProps<typeof PointablePlot>) => (
    <>
      <div role="img" aria-label={summary} />
      <button
        type="button"
        onDoubleClick={onDoubleClick}
        onClick={() => onSelect({ from: Date.parse('2026-03-07T14:10:00Z'), to: Date.parse('2026-03-07T14:20:00Z') })}
      >
        drag
      </button>
    </>
  ),
}));

const from = Date.parse('2026-03-07T14:00:00Z');

const patient: Patient = {
  id: 4,
  mrn: 'W-1004',
  givenName: 'Ada',
  familyName: 'Okafor',
  dateOfBirth: '1950-12-31',
  sex: 'female',
  location: { unit: 'Ward 3', bed: '12' },
  profile: 'continuous',
  spo2Scale: 1,
  news2ExemptFor: null,
  isTrial: false,
  state: 'active',
  version: 1,
  standby: null,
  comfortCare: null,
  symptoms: null,
  deviceAlarms: [],
  alerts: [],
  latest: {},
};

function samples(kind: 'spo2' | 'heartRate' | 'pulseRate', values: readonly number[]): VitalSeries {
  const points = values.map((value, index) => ({
    takenAt: new Date(from + index * 60_000).toISOString(),
    value,
    quality: 'good' as const,
  }));
  return { kind, unit: '', bucketMs: 0, points };
}

function vitals(...series: VitalSeries[]): VitalsResponse {
  return {
    patientId: 4,
    from: new Date(from).toISOString(),
    to: new Date(from + 3_600_000).toISOString(),
    truncated: false,
    series,
  };
}

function answers(answer: Partial<ReadState<VitalsResponse>>): ReadState<VitalsResponse> {
  const whole = {
    data: undefined,
    error: undefined,
    isLoading: false,
    isRefreshing: false,
    asOf: from,
    refresh: jest.fn(),
    ...answer,
  };
  jest.mocked(useVitals).mockReturnValue(whole);
  return whole;
}

interface ChartsProps {
  shown?: Patient;
  range?: ChartRange;
  timeZone?: string;
}

function Charts({ shown = patient, range = chartRanges[0], timeZone = 'Europe/London' }: ChartsProps) {
  const { setRange, ...view } = useChartView(() => range);
  const charts = useCharts(shown.id, view, false);
  return (
    <>
      {chartRanges.map((each) => (
        <button key={each.key} type="button" onClick={() => setRange(each)}>
          {each.name}
        </button>
      ))}
      <ZoomControl
        zoom={view.zoom}
        onChange={view.setZoom}
        wholeNow={() => ({ from, to: from + 3_600_000 })}
        timeZone={timeZone}
      />
      <VitalCharts charts={charts} patient={shown} patientName="Okafor, Ada" timeZone={timeZone} />
    </>
  );
}

const drawings = (): Promise<HTMLElement[]> => screen.findAllByRole('img', { name: /of Okafor, Ada/ });

beforeEach(() => {
  jest.mocked(useServerLost).mockReturnValue(null);
  jest.mocked(useSymptomStrip).mockReturnValue(answered(inventedStrip({ patientId: 4 })));
  jest.mocked(useChartMarks).mockReturnValue({
    data: undefined,
    error: undefined,
    isLoading: true,
    isRefreshing: false,
    asOf: null,
    refresh: () => Promise.resolve(),
  });
});

describe('VitalCharts', () => {
  it('asks for the patient shown, for SpO2 and both rates', () => {
    answers({ isLoading: true });
    render(<Charts />);
    expect(useVitals).toHaveBeenLastCalledWith({
      patientId: 4,
      kinds: ['spo2', 'heartRate', 'pulseRate'],
      rangeMs: 3_600_000,
      zoom: null,
      points: 1_000,
    });
  });

  it('keeps the place of the charts while the first response is awaited', () => {
    answers({ isLoading: true });
    const { container } = render(<Charts />);
    expect(container.querySelector('[aria-busy="true"]')).not.toBeNull();
    expect(screen.queryByRole('figure')).toBeNull();
  });

  it('draws SpO2 and the rates over the same window, with the zone', async () => {
    answers({ data: vitals(samples('spo2', [97, 98]), samples('heartRate', [0]), samples('pulseRate', [])) });
    render(<Charts />);
    const [spo2, rate] = await drawings();
    expect(spo2?.getAttribute('aria-label')).toContain(
      '07 Mar, 14:00 to 07 Mar, 15:00 GMT. SpO2 lowest 97 %, highest 98 %',
    );
    expect(rate?.getAttribute('aria-label')).toContain('07 Mar, 14:00 to 07 Mar, 15:00 GMT. HR lowest 0 /min');
    expect(screen.getByText(/Times in GMT \(Europe\/London\)/)).toBeInstanceOf(HTMLElement);
  });

  it('names a zone that has no other name once', async () => {
    answers({ data: vitals(samples('spo2', [97])) });
    render(<Charts timeZone="UTC" />);
    await drawings();
    expect(screen.getByText(/^Times in UTC\. Drag/)).toBeTruthy();
  });

  it('keeps the drawings while they are refreshed', async () => {
    answers({ data: vitals(samples('spo2', [97])) });
    const { rerender } = render(<Charts />);
    const before = await drawings();
    answers({ data: vitals(samples('spo2', [97, 96])), isRefreshing: true });
    rerender(<Charts />);
    await expect(drawings()).resolves.toEqual(before);
  });

  it('keeps old data when a refresh fails and marks them as old', async () => {
    answers({ data: vitals(samples('spo2', [97])), error: clientFailure('unreachable') });
    const { container, rerender } = render(<Charts />);
    await expect(drawings()).resolves.toHaveLength(2);
    expect(container.querySelector('[data-old]')).not.toBeNull();
    expect(screen.getAllByText('NOT LIVE since 14:00:00')).toHaveLength(2);
    // The header says it for all of the page.
    jest.mocked(useServerLost).mockReturnValue(from);
    rerender(<Charts />);
    expect(screen.queryByText(/NOT LIVE/)).toBeNull();
  });

  it('says so when the limits cannot be refreshed', async () => {
    answers({ data: vitals(samples('spo2', [97])) });
    const marks = { ...answers({}), data: undefined, error: clientFailure('unreachable'), asOf: from - 30_000 };
    jest.mocked(useChartMarks).mockReturnValue(marks);
    answers({ data: vitals(samples('spo2', [97])) });
    render(<Charts />);
    await expect(screen.findAllByText('NOT LIVE since 13:59:30')).resolves.toHaveLength(2);
  });

  it('keeps the place of the charts if the first response fails', () => {
    answers({ error: clientFailure('unreachable') });
    const { container } = render(<Charts />);
    expect(container.querySelectorAll('.skeleton')).toHaveLength(2);
  });

  it('says what is missing and what to do when nothing was measured', () => {
    answers({ data: vitals(samples('spo2', []), samples('heartRate', []), samples('pulseRate', [])) });
    render(<Charts />);
    expect(screen.getByText('No SpO2 or heart rate in the last 1 hour')).toBeInstanceOf(HTMLElement);
    expect(screen.getByText(/Choose a longer period\. Check that the sensor is on the patient/)).toBeInstanceOf(
      HTMLElement,
    );
    expect(screen.queryByRole('figure')).toBeNull();
  });

  it('names no sensor of a patient at home, who measures now and then', () => {
    answers({ data: vitals() });
    render(<Charts shown={{ ...patient, profile: 'home' }} />);
    expect(screen.getByText(/If a reading is due, call the patient/)).toBeInstanceOf(HTMLElement);
    expect(screen.queryByText(/sensor/)).toBeNull();
  });

  it('offers no longer time than the longest', () => {
    answers({ data: vitals() });
    render(<Charts range={chartRanges[5]} />);
    expect(screen.getByText(/^Check that the sensor is on the patient/)).toBeInstanceOf(HTMLElement);
  });

  it('still draws the other chart, empty, when only one quantity came', async () => {
    answers({ data: vitals(samples('spo2', [97])) });
    render(<Charts />);
    const [, rate] = await drawings();
    expect(rate?.getAttribute('aria-label')).toContain(
      'Heart rate of Okafor, Ada. 07 Mar, 14:00 to 07 Mar, 15:00 GMT. No data.',
    );
  });

  it('joins values at the pace of the device or at their own, and no spot checks of a patient at home', async () => {
    const value = { value: 97, unit: '%', quality: 'good' as const, source: 'Oximeter', lastValid: null };
    const instants = {
      takenAt: new Date(from).toISOString(),
      receivedAt: new Date(from).toISOString(),
      asOf: new Date(from).toISOString(),
    };
    const everyMinute = { ...patient, latest: { spo2: { ...value, ...instants, expectedEveryMs: 60_000 } } };
    answers({
      data: vitals(
        samples(
          'spo2',
          Array.from({ length: 61 }, () => 97),
        ),
      ),
    });
    const { rerender } = render(<Charts shown={everyMinute} />);
    const [joined] = await drawings();
    expect(joined?.getAttribute('aria-label')).toContain('No gaps.');
    rerender(<Charts />);
    const [own] = await drawings();
    expect(own?.getAttribute('aria-label')).toContain('No gaps.');
    rerender(<Charts shown={{ ...patient, profile: 'home' }} />);
    const [broken] = await drawings();
    expect(broken?.getAttribute('aria-label')).toContain('60 gaps without data, the longest 1 min.');
  });

  it('is marked as not live while the server is lost', () => {
    answers({ data: vitals(samples('spo2', [97])) });
    jest.mocked(useServerLost).mockReturnValue(from);
    const { container } = render(<Charts />);
    expect(container.querySelector('[data-not-live]')).not.toBeNull();
  });

  it('says when the beginning of the window is no longer kept', () => {
    answers({ data: { ...vitals(samples('spo2', [97])), truncated: true } });
    render(<Charts />);
    expect(screen.getByText(/period is no longer complete/)).toBeInstanceOf(HTMLElement);
  });

  it('is not empty when all that came says "no signal"', async () => {
    const silent: VitalSeries = {
      kind: 'spo2',
      unit: '%',
      bucketMs: 60_000,
      points: [],
      noSignal: [{ takenAt: new Date(from).toISOString(), count: 60 }],
    };
    answers({ data: vitals(silent) });
    render(<Charts />);
    await expect(drawings()).resolves.toHaveLength(2);
    expect(screen.getByText('No signal, nothing drawn')).toBeInstanceOf(HTMLElement);
  });

  describe('zoomed', () => {
    const asked = () => jest.mocked(useVitals).mock.lastCall?.[0].zoom;
    const minutes = (first: number, last: number) => ({ from: from + first * 60_000, to: from + last * 60_000 });
    const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

    beforeEach(() => {
      answers({ data: vitals(samples('spo2', [97])) });
    });

    it('asks for what was dragged over in either chart, for both, and says what is shown', async () => {
      render(<Charts />);
      const [, rate] = screen.getAllByRole('button', { name: 'drag' });
      await userEvent.click(rate ?? document.body);
      expect(asked()).toEqual(minutes(10, 20));
      expect(screen.getByRole('status').textContent).toBe('Only 14:10:00 to 14:20:00 GMT');
    });

    it.each(['a double click', 'the button'])('shows all again after %s', async (how) => {
      render(<Charts />);
      const [spo2 = document.body] = screen.getAllByRole('button', { name: 'drag' });
      await userEvent.click(spo2);
      if (how === 'the button') {
        await press('Reset zoom');
      } else {
        fireEvent.doubleClick(spo2);
      }
      expect(asked()).toBeNull();
      expect(screen.getByRole('status').textContent).toBe('');
    });

    it('shows all of another range, and of the first one after that', async () => {
      render(<Charts />);
      await press('Zoom in');
      expect(asked()).toEqual(minutes(15, 45));
      await press('4 hours');
      expect(asked()).toBeNull();
      await press('1 hour');
      expect(asked()).toBeNull();
    });

    it('is zoomed, moved and reset by keyboard, and the focus stays where it was', async () => {
      render(<Charts />);
      const user = userEvent.setup();
      screen.getByRole('button', { name: '14 days' }).focus();
      await user.tab();
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Zoom in' }));
      await user.keyboard('{Enter}{Enter}');
      expect(asked()).toEqual(minutes(22.5, 37.5));
      await user.keyboard('{Tab}{Enter}');
      expect(asked()).toEqual(minutes(15, 30));
      await user.keyboard('{Tab}{Enter}');
      expect(asked()).toEqual(minutes(22.5, 37.5));
      await user.keyboard('{Tab}{Enter}{Enter}');
      expect(asked()).toBeNull();
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Reset zoom' }));
    });

    it('says which buttons can do no more, and never shows less than a minute', async () => {
      render(<Charts />);
      const idle = (): (string | null)[] =>
        ['Zoom in', 'Earlier', 'Later', 'Reset zoom'].map((name) =>
          screen.getByRole('button', { name }).getAttribute('aria-disabled'),
        );
      expect(idle()).toEqual(['false', 'true', 'true', 'true']);
      for (let times = 0; times < 8; times += 1) {
        await press('Zoom in');
      }
      expect(asked()).toEqual(minutes(29.5, 30.5));
      expect(idle()).toEqual(['true', 'false', 'false', 'false']);
    });

    it('shows charts if that time has no data, and the way back if it cannot be loaded', async () => {
      const { rerender } = render(<Charts />);
      await press('Zoom in');
      answers({ data: vitals() });
      rerender(<Charts />);
      await expect(drawings()).resolves.toHaveLength(2);
      answers({ error: clientFailure('unreachable') });
      rerender(<Charts />);
      await press('Reset zoom');
      expect(asked()).toBeNull();
    });
  });
});
