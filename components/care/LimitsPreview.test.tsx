import { render, screen, waitFor } from '@testing-library/react';
import type { LimitPreview } from '../../lib/alerts/limitPreviewSchema';
import { ApiFailure } from '../../lib/browser/client';
import { callMock, setCalls } from '../../test/calls';
import { LimitsPreview } from './LimitsPreview';

jest.mock('../../hooks/useCall');

const calls = { previewLimits: callMock<'previewLimits'>() };
const none = { high: 0, medium: 0, low: 0 };
const answer = (proposed: number): LimitPreview => ({
  parameter: 'spo2',
  from: '2026-05-01T10:00:00.000Z',
  to: '2026-05-02T10:00:00.000Z',
  coveredMs: 24 * 3_600_000,
  now: { ...none, high: 3 },
  proposed: { ...none, high: proposed },
  missed: none,
  milder: none,
});
const of = (low: number | null) => (
  <LimitsPreview patientId={1} rule="spo2.low" values={low === null ? null : { low }} />
);
const words = () => screen.getByRole('status').textContent;

beforeEach(() => {
  calls.previewLimits.mockReset();
  setCalls(calls);
});

describe('the preview of limits', () => {
  it('says in a sentence that there is none', async () => {
    calls.previewLimits.mockRejectedValue(
      new ApiFailure('preview_late', 'The preview took too long.', { status: 503 }),
    );
    render(of(85));
    await waitFor(() => expect(words()).toBe('No preview. The preview took too long.'));
  });

  it('never shows an answer about other limits than those that are typed', async () => {
    const asked: { low: number | null | undefined; reply: (preview: LimitPreview) => void }[] = [];
    calls.previewLimits.mockImplementation(
      ({ body }) => new Promise((reply) => asked.push({ low: body.values.low, reply })),
    );
    const { rerender } = render(of(85));
    await waitFor(() => expect(asked).toHaveLength(1));
    rerender(of(86));
    expect(words()).toBe('Preview: working out...');
    await waitFor(() => expect(asked.map(({ low }) => low)).toEqual([85, 86]));
    asked[1]?.reply(answer(2));
    await waitFor(() => expect(words()).toContain('With these limits: 2 SpO2 alerts in the last 24 h (now 3).'));
    asked[0]?.reply(answer(1));
    rerender(of(87));
    expect(words()).toBe('Preview: working out...');
    await waitFor(() => expect(asked).toHaveLength(3));
    expect(words()).toBe('Preview: working out...');
    rerender(of(null));
    expect(words()).toBe('Change a limit to see how many alerts it would have raised.');
  });

  it('asks once for what was typed in one go', async () => {
    calls.previewLimits.mockResolvedValue(answer(1));
    const { rerender } = render(of(8));
    rerender(of(85));
    await waitFor(() => expect(words()).toContain('1 SpO2 alert'));
    expect(calls.previewLimits.mock.calls.map(([{ body }]) => body)).toEqual([
      { rule: 'spo2.low', values: { low: 85 } },
    ]);
  });
});
