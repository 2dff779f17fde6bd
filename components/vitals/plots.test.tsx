import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type uPlot from 'uplot';
import { chartAxis } from '../../lib/vitals/chartAxis';
import { chartGaps } from '../../lib/vitals/chartGaps';
import { chartLine } from '../../lib/vitals/chartLine';
import { type ChartRange, chartRanges } from '../../lib/vitals/chartRanges';
import type { VitalSeries } from '../../lib/vitals/schema';
import type * as Module from '../../lib/vitals/sparkShape';
import { sparkShape } from '../../lib/vitals/sparkShape';
import { inventedSpark } from '../../test/inventedWard';
import { PointablePlot } from './PointablePlot';
import { RangeControl } from './RangeControl';
import { type Pointed, Readout } from './Readout';
import { SparkLine } from './SparkLine';
import type { Pen } from './pen';
import { drawEnvelopes, drawGaps, drawMarks } from './plotDrawing';
import { drawLimits } from './plotLimits';
import type { PlotModel } from './plotModel';

jest.mock('../../lib/vitals/sparkShape', () => {
  const actual = jest.requireActual<typeof Module>('../../lib/vitals/sparkShape');
  return { ...actual, sparkShape: jest.fn(actual.sparkShape) };
});
jest.mock('./TimePlot', () => ({
  TimePlot: ({ onPoint, summary }: { onPoint: (pointed: Pointed | null) => void; summary: string }) => (
    <>
      <div role="img" aria-label={summary} />
      <button type="button" onClick={() => onPoint({ at: Date.parse('2026-03-07T14:00:00Z'), msPerPixel: 1_000 })}>
        point
      </button>
      <button type="button" onClick={() => onPoint(null)}>
        leave
      </button>
    </>
  ),
}));

describe('plots', () => {
  describe('RangeControl', () => {
    // user-event looks for the group of a radio button with it, and jsdom has none.
    Object.assign(window, { CSS: { escape: (text: string) => text } });

    function Chosen() {
      const [range, setRange] = useState<ChartRange>(chartRanges[0]);
      return (
        <>
          <RangeControl value={range} onChange={setRange} />
          <output>{range.key}</output>
        </>
      );
    }

    describe('RangeControl', () => {
      it('is one group that says what it is for, with six choices in words', () => {
        render(<Chosen />);
        expect(screen.getByRole('group', { name: 'Time shown in the charts' })).toBeInstanceOf(HTMLElement);
        const names = screen.getAllByRole('radio').map((radio) => radio.getAttribute('aria-label'));
        expect(names).toEqual(['1 hour', '4 hours', '12 hours', '24 hours', '7 days', '14 days']);
      });

      it('is reached by Tab and changed by the arrow keys', async () => {
        render(<Chosen />);
        const user = userEvent.setup();
        await user.tab();
        expect(document.activeElement).toBe(screen.getByRole('radio', { name: '1 hour' }));
        await user.keyboard('{ArrowRight}{ArrowRight}');
        expect(screen.getByRole('status').textContent).toBe('12h');
      });

      it('is changed by the pointer', async () => {
        render(<Chosen />);
        await userEvent.click(screen.getByText('14 d'));
        expect(screen.getByRole('status').textContent).toBe('14d');
      });
    });
  });

  describe('Readout', () => {
    const from = Date.parse('2026-07-04T13:00:00Z');

    function modelOf(series: VitalSeries, kind: 'spo2' | 'heartRate'): PlotModel {
      const lines = [{ ...chartLine(series, { expectedEveryMs: 1_000, spot: false }), kind }];
      return {
        lines,
        gaps: [],
        window: { from, to: from + 3_600_000 },
        axis: chartAxis('spo2', null),
        limits: [],
        targets: [],
        isLive: true,
        timeZone: 'Europe/London',
      };
    }

    const samples = modelOf(
      {
        kind: 'spo2',
        unit: '%',
        bucketMs: 0,
        points: [
          { takenAt: new Date(from).toISOString(), value: 97, quality: 'good' },
          { takenAt: new Date(from + 60_000).toISOString(), value: 88, quality: 'questionable' },
        ],
      },
      'spo2',
    );

    function said(model: PlotModel, at: number | null): string {
      const { container } = render(<Readout model={model} pointed={at === null ? null : { at, msPerPixel: 1_000 }} />);
      return container.textContent;
    }

    it('shows no value if nothing was measured, but the time', () => {
      expect(said(samples, from + 30_000)).toMatch(/^SpO2 no data14:00:30 BST/);
    });

    it('distinguishes a time without a signal from one without data', () => {
      const silent = modelOf(
        {
          kind: 'spo2',
          unit: '%',
          bucketMs: 60_000,
          points: [],
          noSignal: [{ takenAt: new Date(from).toISOString(), count: 60 }],
        },
        'spo2',
      );
      expect(said(silent, from + 59_000)).toMatch(/^SpO2 no signal14:00:59 BST/);
      expect(said(silent, from + 120_000)).toMatch(/^SpO2 no data14:02:00 BST/);
    });

    it('shows the value with its own time to the second and the zone', () => {
      expect(said(samples, from + 2_000)).toMatch(/^SpO2 97 %14:00:00 BST/);
    });

    it('says the day of a value that is not of the day on which the chart ends', () => {
      const twoDays = { ...samples, window: { from, to: from + 2 * 86_400_000 } };
      expect(said(twoDays, from)).toMatch(/^SpO2 97 %04 Jul 2026, 14:00:00 BST/);
    });

    it('says that a value is uncertain', () => {
      expect(said(samples, from + 60_000)).toMatch(/^SpO2 88 %, signal uncertain14:01:00 BST/);
    });

    it('says that a value was typed in, and when a late one arrived, with the day if it was another', () => {
      const origin = (receivedAt: string, by: { isByPatient?: true } = {}) =>
        modelOf(
          {
            kind: 'spo2',
            unit: '%',
            bucketMs: 0,
            points: [
              { takenAt: new Date(from).toISOString(), value: 97, quality: 'good', isManual: true, ...by, receivedAt },
            ],
          },
          'spo2',
        );
      expect(said(origin('2026-07-04T13:20:00Z'), from)).toMatch(/^SpO2 97 %, typed in, arrived 14:20/);
      expect(said(origin('2026-07-04T13:20:00Z', { isByPatient: true }), from)).toMatch(
        /^SpO2 97 %, typed in by the patient, arrived 14:20/,
      );
      expect(said(origin('2026-07-05T13:20:00Z'), from)).toContain('arrived 05 Jul, 14:20');
    });

    it('says what time its device sent, if that is another', () => {
      const times = { takenAt: new Date(from).toISOString(), sentAs: new Date(from - 3_600_000).toISOString() };
      const points = [{ ...times, value: 97, quality: 'questionable' as const }];
      expect(said(modelOf({ kind: 'spo2', unit: '%', bucketMs: 0, points }, 'spo2'), from)).toMatch(
        /^SpO2 97 %, signal uncertain, sent as 13:0014:00:00 BST/,
      );
    });

    it('shows the extremes of a bucket and that half of it is uncertain, and a heart rate of 0', () => {
      const points = [{ takenAt: new Date(from).toISOString(), min: 0, max: 80, last: 0, count: 60, questionable: 30 }];
      expect(
        said(modelOf({ kind: 'heartRate', unit: '/min', bucketMs: 60_000, points, noSignal: [] }, 'heartRate'), from),
      ).toMatch(/^HR 0 \/min \(0 to 80\), signal uncertain14:00:00 BST/);
    });

    it('shows the extremes of the window without a pointer', () => {
      expect(said(samples, null)).toBe('SpO2 lowest 88, highest 97');
    });

    it('adds the viewer’s time if their zone is another one', () => {
      const zone = jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
      zone.mockReturnValue({ ...new Intl.DateTimeFormat().resolvedOptions(), timeZone: 'Asia/Tokyo' });
      expect(said(samples, from)).toBe('SpO2 97 %14:00:00 BST (yours 22:00:00 GMT+9)');
      zone.mockReturnValue({ ...new Intl.DateTimeFormat().resolvedOptions(), timeZone: 'Europe/London' });
      expect(said(samples, from)).toBe('SpO2 97 %14:00:00 BST');
    });
  });

  describe('plotDrawing', () => {
    const from = Date.parse('2026-03-07T14:00:00Z');
    const colors = {
      series: { spo2: 'blue', heartRate: 'green', pulseRate: 'violet' },
      text: 'text',
      grid: 'grid',
      hatch: 'hatch',
      doubt: 'grey',
      surface: 'ground',
      limits: { high: 'red', medium: 'yellow' },
    };

    /** One thing drawn: how, in which colours, and with which lines. */
    interface Stroke {
      how: 'fill' | 'stroke' | 'text' | 'rect';
      color: string;
      path: string[];
      text?: string;
      dash?: number[];
    }

    /**
     * Writes down what is drawn. One pixel is one second and one unit of value, so that places can be read. As after
     * uPlot's own drawing of a dashed line, the canvas comes with dashes set.
     */
    function recordingPen(): { pen: Pen; strokes: Stroke[]; dashLeft: () => number[] } {
      const strokes: Stroke[] = [];
      let path: string[] = [];
      const kept: number[][] = [];
      let dash = [6, 3];
      const state = { fillStyle: '', strokeStyle: '' };
      const note =
        (name: string) =>
        (...args: number[]): void => {
          path.push(`${name} ${args.slice(0, 2).map(Math.round).join(' ')}`);
        };
      const context = {
        ...state,
        save: () => {
          kept.push(dash);
        },
        restore: () => {
          dash = kept.pop() ?? [];
        },
        setLineDash: (lengths: number[]) => {
          dash = lengths;
        },
        clip: () => {},
        beginPath: () => {
          path = [];
        },
        closePath: () => {},
        moveTo: note('move'),
        lineTo: note('line'),
        rect: note('square'),
        arc: note('circle'),
        fillRect(x: number, y: number, width: number, height: number) {
          path = [`from ${Math.round(x)} ${Math.round(y)} by ${Math.round(width)} ${Math.round(height)}`];
          strokes.push({ how: 'rect', color: this.fillStyle, path });
        },
        measureText: () => ({ width: 40 }),
        fill() {
          strokes.push({ how: 'fill', color: this.fillStyle, path });
        },
        stroke() {
          strokes.push({ how: 'stroke', color: this.strokeStyle, path, ...(dash.length > 0 ? { dash } : {}) });
        },
        fillText(text: string, x: number, y: number) {
          strokes.push({ how: 'text', color: this.fillStyle, path: [`at ${Math.round(x)} ${Math.round(y)}`], text });
        },
      };
      const plot = {
        bbox: { left: 0, top: 0, width: 3_600, height: 100 },
        valToPos: (value: number, scale: string) => (scale === 'x' ? (value - from) / 1_000 : 100 - value),
      };
      // The drawing uses only these parts of a canvas and a plot.
      const pen = {
        plot: plot as unknown as uPlot,
        context: context as unknown as CanvasRenderingContext2D,
        scale: 1,
        colors,
      };
      return { pen, strokes, dashLeft: () => dash };
    }

    function model(...series: VitalSeries[]): PlotModel {
      const lines = series.map((one) => {
        const { kind } = one;
        if (kind !== 'spo2' && kind !== 'heartRate' && kind !== 'pulseRate') {
          throw new Error(`${kind} is not charted`);
        }
        return { ...chartLine(one, { expectedEveryMs: 1_000, spot: false }), kind };
      });
      const window = { from, to: from + 3_600_000 };
      return {
        lines,
        gaps: chartGaps(lines, window),
        window,
        axis: chartAxis('spo2', null),
        limits: [],
        targets: [],
        isLive: false,
        timeZone: 'UTC',
      };
    }

    type Sample = [second: number, value: number, quality?: 'good' | 'questionable' | 'invalid'];

    function raw(kind: VitalSeries['kind'], samples: readonly Sample[]): VitalSeries {
      const points = samples.map(([second, value, quality = 'good']) => ({
        takenAt: new Date(from + second * 1_000).toISOString(),
        value,
        quality,
      }));
      return { kind, unit: '', bucketMs: 0, points };
    }

    /** A value that was typed in 15 minutes after it was read. */
    function typed(second: number, value: number): VitalSeries {
      const [takenAt, receivedAt] = [second, second + 900].map((at) => new Date(from + at * 1_000).toISOString());
      const point = { takenAt: takenAt ?? '', value, quality: 'good' as const, isManual: true as const };
      return {
        kind: 'spo2',
        unit: '',
        bucketMs: 0,
        points: [{ ...point, ...(receivedAt === undefined ? {} : { receivedAt }) }],
      };
    }

    const everySecond = (seconds: number): Sample[] => Array.from({ length: seconds }, (_, second) => [second, 97]);

    describe('drawMarks', () => {
      it('marks what was typed in by a diamond, and what arrived late by a clock above it', () => {
        const { pen, strokes } = recordingPen();
        drawMarks(pen, model(typed(100, 90)));
        expect(strokes.filter(({ how }) => how === 'fill').map(({ path }) => path)).toEqual([
          ['move 100 5', 'line 105 10', 'line 100 15', 'line 95 10'],
        ]);
        expect(strokes).toContainEqual({
          how: 'stroke',
          color: 'text',
          path: ['circle 100 -2', 'move 100 -5', 'line 100 -2', 'line 102 -2'],
        });
      });

      it('marks each isolated sample, so that none is invisible', () => {
        const { pen, strokes } = recordingPen();
        drawMarks(
          pen,
          model(
            raw('spo2', [
              [0, 97],
              [100, 96],
              [102, 0, 'invalid'],
              [104, 95],
            ]),
          ),
        );
        const marks = strokes.filter(({ how, color }) => how === 'fill' && color === 'blue').map(({ path }) => path[0]);
        expect(marks).toEqual(['circle 0 3', 'circle 100 4', 'circle 104 5']);
      });

      it('marks no bucket that begins before the window, over the numbers of the axis', () => {
        const { pen, strokes } = recordingPen();
        drawMarks(pen, model(raw('spo2', [[-10, 97]])));
        expect(strokes.filter(({ how }) => how === 'fill')).toEqual([]);
      });

      it('marks a dense line only at its end', () => {
        const { pen, strokes } = recordingPen();
        drawMarks(pen, model(raw('heartRate', everySecond(600))));
        expect(
          strokes.filter(({ how, color }) => how === 'fill' && color === 'green').map(({ path }) => path[0]),
        ).toEqual(['square 595 -1']);
      });

      it('draws a questionable sample hollow and grey', () => {
        const { pen, strokes } = recordingPen();
        drawMarks(
          pen,
          model(
            raw('spo2', [
              [0, 97],
              [10, 90, 'questionable'],
              [20, 97],
            ]),
          ),
        );
        expect(strokes).toContainEqual({ how: 'fill', color: 'ground', path: ['circle 10 10'] });
        expect(strokes).toContainEqual({ how: 'stroke', color: 'grey', path: ['circle 10 10'] });
      });

      it('ticks a sample without a signal at the foot and draws no value for it', () => {
        const { pen, strokes } = recordingPen();
        drawMarks(
          pen,
          model(
            raw('spo2', [
              [10, 0, 'invalid'],
              [20, 0, 'invalid'],
            ]),
          ),
        );
        expect(strokes).toEqual([
          { how: 'stroke', color: 'grey', path: ['move 10 93', 'line 10 100', 'move 20 93', 'line 20 100'] },
        ]);
      });

      it('draws no marker with the dashes of the line drawn before, and leaves uPlot the dashes that it set', () => {
        const { pen, strokes, dashLeft } = recordingPen();
        drawMarks(pen, model(raw('spo2', [[0, 97]]), raw('pulseRate', [[10, 0, 'invalid']])));
        expect(strokes.filter(({ how }) => how === 'stroke')).toHaveLength(2);
        expect(strokes.filter(({ dash }) => dash !== undefined)).toEqual([]);
        expect(dashLeft()).toEqual([6, 3]);
      });

      it('names each line at its end, one below the other if they meet', () => {
        const { pen, strokes } = recordingPen();
        drawMarks(pen, model(raw('heartRate', [[0, 70]]), raw('pulseRate', [[0, 70]])));
        expect(strokes.filter(({ how }) => how === 'text')).toEqual([
          { how: 'text', color: 'green', text: 'HR', path: ['at 9 30'] },
          { how: 'text', color: 'violet', text: 'PR', path: ['at 9 45'] },
        ]);
      });
    });

    describe('the labels', () => {
      const texts = (model: PlotModel): string[] => {
        const { pen, strokes } = recordingPen();
        drawMarks(pen, model);
        return strokes.flatMap(({ text }) => text ?? []);
      };
      const ending = (second: number, value: number, quality: 'good' | 'questionable' = 'good'): Sample[] => [
        [second - 1, value, quality],
        [second, value, quality],
      ];

      it('say the current value at the end of a line, of a rate with its name', () => {
        const spo2 = raw('spo2', ending(3_598, 88));
        expect(texts({ ...model(spo2), isLive: true })).toEqual(['88 %']);
        expect(texts({ ...model(raw('heartRate', ending(3_598, 71))), isLive: true })).toEqual(['HR 71']);
        expect(texts({ ...model(raw('spo2', ending(3_598, 88, 'questionable'))), isLive: true })).toEqual(['88? %']);
      });

      it('say no value if it is not the current one: the chart is not live, or the values have stopped', () => {
        expect(texts(model(raw('spo2', ending(3_598, 88))))).toEqual(['SpO₂']);
        expect(texts({ ...model(raw('spo2', ending(3_569, 88))), isLive: true })).toEqual(['SpO₂']);
      });

      it('name the limits that hold at the end, beside the values and below each other', () => {
        const { pen, strokes } = recordingPen();
        const limit = { from, to: from + 3_600_000, onOxygen: false, beyondTo: null };
        drawMarks(pen, {
          ...model(raw('spo2', ending(3_598, 88))),
          isLive: true,
          limits: [
            { ...limit, priority: 'high', is: 'below', value: 88 },
            { ...limit, priority: 'medium', is: 'atMost', value: 91 },
            { ...limit, priority: 'high', is: 'below', value: 85, to: from + 60_000 },
            { ...limit, priority: 'high', is: 'below', value: 70 },
          ],
        });
        expect(strokes.filter(({ how }) => how === 'text').map(({ text, path }) => [text, ...path])).toEqual([
          ['88 %', 'at 3607 24'],
          ['High < 88', 'at 3609 39'],
          ['Med ≤ 91', 'at 3609 9'],
        ]);
      });
    });

    describe('drawLimits', () => {
      const hour = { from, to: from + 3_600_000 };

      it('draws steps over the time of each, tints what is beyond it, and shades the target', () => {
        const { pen, strokes, dashLeft } = recordingPen();
        drawLimits(pen, {
          ...model(),
          targets: [{ ...hour, low: 94, high: 98 }],
          limits: [
            { from, to: from + 60_000, priority: 'high', is: 'below', value: 88, onOxygen: false, beyondTo: null },
            { ...hour, priority: 'medium', is: 'atMost', value: 91, onOxygen: false, beyondTo: 88 },
            { ...hour, priority: 'medium', is: 'atLeast', value: 99, onOxygen: true, beyondTo: null },
          ],
        });
        expect(strokes.filter(({ how }) => how === 'rect')).toEqual([
          { how: 'rect', color: 'text', path: ['from 0 2 by 3600 4'] },
          { how: 'rect', color: 'red', path: ['from 0 12 by 60 13'] },
          { how: 'rect', color: 'yellow', path: ['from 0 9 by 3600 3'] },
        ]);
        expect(strokes.filter(({ how }) => how === 'stroke')).toEqual([
          { how: 'stroke', color: 'red', path: ['move 0 12', 'line 60 12'], dash: [5, 4] },
          { how: 'stroke', color: 'yellow', path: ['move 0 9', 'line 3600 9'], dash: [5, 4] },
          { how: 'stroke', color: 'yellow', path: ['move 0 1', 'line 3600 1'], dash: [5, 4] },
        ]);
        expect(dashLeft()).toEqual([6, 3]);
      });
    });

    describe('drawGaps', () => {
      it('hatches times without data and names the cause', () => {
        const { pen, strokes } = recordingPen();
        drawGaps(pen, model(raw('spo2', [...everySecond(600), [1_000, 0, 'invalid']])));
        expect(strokes.filter(({ how }) => how === 'text').map(({ text }) => text)).toEqual(['no signal']);
        expect(strokes.some(({ how, color }) => how === 'stroke' && color === 'hatch')).toBe(true);
      });

      it('draws nothing if there is no gap', () => {
        const { pen, strokes } = recordingPen();
        drawGaps(pen, model(raw('spo2', everySecond(3_601))));
        expect(strokes).toEqual([]);
      });
    });

    describe('drawEnvelopes', () => {
      const bucket = (second: number, min: number, max: number, last: number) => ({
        takenAt: new Date(from + second * 1_000).toISOString(),
        min,
        max,
        last,
        count: 30,
        questionable: 0,
      });

      it('fills from the highest to the lowest of each bucket, and never across a gap', () => {
        const { pen, strokes } = recordingPen();
        const points = [
          bucket(0, 90, 98, 97),
          bucket(30, 60, 99, 97),
          bucket(900, 95, 97, 96),
          bucket(930, 95, 97, 96),
        ];
        drawEnvelopes(pen, model({ kind: 'spo2', unit: '%', bucketMs: 30_000, points, noSignal: [] }));
        expect(strokes.map(({ path }) => path)).toEqual([
          ['line 0 2', 'line 30 1', 'line 30 40', 'line 0 10'],
          ['line 900 3', 'line 930 3', 'line 930 5', 'line 900 5'],
        ]);
      });

      it('draws the extremes of an isolated bucket', () => {
        const { pen, strokes } = recordingPen();
        drawEnvelopes(
          pen,
          model({ kind: 'spo2', unit: '%', bucketMs: 30_000, points: [bucket(0, 90, 98, 97)], noSignal: [] }),
        );
        expect(strokes).toContainEqual({ how: 'stroke', color: 'blue', path: ['line 0 2', 'line 0 10'] });
      });

      it('draws none for samples', () => {
        const { pen, strokes } = recordingPen();
        drawEnvelopes(pen, model(raw('spo2', everySecond(10))));
        expect(strokes).toEqual([]);
      });
    });
  });
});

describe('SparkLine', () => {
  type Props = Parameters<typeof SparkLine>[0];
  const lineOf = (text: string | undefined, change: Partial<Props> = {}) => (
    <SparkLine kind="spo2" text={text} minutesOld={0} expectedEveryMs={1_000} isSpot={false} {...change} />
  );
  const show = (text: string | undefined, change: Partial<Props> = {}) => render(lineOf(text, change)).container;
  const paths = (container: Element) => [...container.querySelectorAll('path')];

  describe('a spark line', () => {
    it.each([
      ['while nothing is known', undefined],
      ['where nothing came', inventedSpark()],
      ['where something came', inventedSpark('97', '96')],
    ])('takes the same room %s', (_, text) => {
      const svg = show(text).querySelector('svg');
      expect([svg?.getAttribute('width'), svg?.getAttribute('height')]).toEqual(['60', '23']);
    });

    it('draws nothing and says nothing without values', () => {
      const container = show(inventedSpark('x', ''));
      expect(paths(container)).toEqual([]);
      expect(container.textContent).toBe('');
      expect(container.querySelector('[title]')).toBeNull();
    });

    it('draws what was measured, what is uncertain and what lies beyond the edge apart', () => {
      expect(paths(show(inventedSpark('97')))).toHaveLength(1);
      expect(paths(show(inventedSpark('97', '90-95?')))).toHaveLength(2);
      expect(paths(show(inventedSpark('97', '90-95?', '', '70-84')))).toHaveLength(3);
    });

    it('says in words what it shows, and hides the drawing from screen readers', () => {
      const container = show(inventedSpark('91-97', '', '94'));
      expect(container.textContent).toBe(', last hour 91 to 97');
      expect(container.querySelector('[title]')?.getAttribute('title')).toBe('Last hour: 91 to 97');
      expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
      expect(show(inventedSpark('97', '97')).textContent).toBe(', last hour 97');
      expect(show(inventedSpark('97', '80-96?')).textContent).toBe(', last hour 80 to 97, in part uncertain');
      expect(show(inventedSpark('0'), { kind: 'heartRate' }).textContent).toBe(', last hour 0');
    });

    it('moves on with the time while nothing newer comes, and forgets what is older than an hour', () => {
      const [old, ...rest] = Array<string>(60).fill('97');
      const { container, rerender } = render(lineOf([old, ...rest].join().replace('97', '85')));
      expect(container.textContent).toBe(', last hour 85 to 97');
      rerender(lineOf([old, ...rest].join().replace('97', '85'), { minutesOld: 2 }));
      expect(container.querySelector('svg')?.getAttribute('viewBox')).toBe('2 0 60 23');
      expect(container.textContent).toBe(', last hour 97');
      rerender(lineOf([old, ...rest].join(), { minutesOld: 60 }));
      expect(container.textContent).toBe('');
    });

    it('is not drawn again while nothing of it is new', () => {
      const { rerender } = render(lineOf(inventedSpark('97', '96')));
      const drawn = jest.mocked(sparkShape).mock.calls.length;
      rerender(lineOf(inventedSpark('97', '96')));
      expect(jest.mocked(sparkShape).mock.calls).toHaveLength(drawn);
      rerender(lineOf(inventedSpark('97', '95')));
      expect(jest.mocked(sparkShape).mock.calls.length).toBeGreaterThan(drawn);
    });
  });
});

describe('PointablePlot', () => {
  const from = Date.parse('2026-03-07T14:00:00Z');

  const points = [{ takenAt: new Date(from).toISOString(), value: 97, quality: 'good' as const }];
  const line = {
    ...chartLine({ kind: 'spo2', unit: '%', bucketMs: 0, points }, { spot: false }),
    kind: 'spo2' as const,
  };
  const model: PlotModel = {
    lines: [line],
    gaps: [],
    window: { from, to: from + 3_600_000 },
    axis: chartAxis('spo2', null),
    limits: [],
    targets: [],
    isLive: true,
    timeZone: 'UTC',
  };

  it('loads the drawing by itself and shows the value under the pointer', async () => {
    render(
      <PointablePlot
        model={model}
        summary="SpO2 of Okafor, Ada"
        height={200}
        onSelect={() => {}}
        onDoubleClick={() => {}}
      />,
    );
    await expect(screen.findByRole('img', { name: 'SpO2 of Okafor, Ada' })).resolves.toBeInstanceOf(HTMLElement);
    expect(screen.queryByText(/14:00:00/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'point' }));
    expect(screen.getByText('14:00:00 UTC')).toBeInstanceOf(HTMLElement);
    await userEvent.click(screen.getByRole('button', { name: 'leave' }));
    expect(screen.queryByText(/14:00:00/)).toBeNull();
  });
});
