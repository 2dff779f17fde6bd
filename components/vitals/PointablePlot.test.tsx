import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { chartAxis } from '../../lib/vitals/chartAxis';
import { chartLine } from '../../lib/vitals/chartLine';
import type { PlotModel } from './plotModel';
import { PointablePlot } from './PointablePlot';
import type { Pointed } from './Readout';

const from = Date.parse('2026-03-07T14:00:00Z');

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

const points = [{ takenAt: new Date(from).toISOString(), value: 97, quality: 'good' as const }];
const line = { ...chartLine({ kind: 'spo2', unit: '%', bucketMs: 0, points }, { spot: false }), kind: 'spo2' as const };
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

describe('PointablePlot', () => {
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
