import { render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useServerLost } from '../../hooks/useServerLost';
import { clientFailure } from '../../lib/browser/client';
import type { HandoffAction, WardHandoff } from '../../lib/handoffs/schema';
import { callMock, setCalls } from '../../test/calls';
import { secondsAgo, wardNow } from '../../test/inventedWard';
import { OpenActions } from './OpenActions';
import { useHeldOrder } from './useHeldOrder';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useServerLost');

describe('OpenActions', () => {
  const finish = callMock<'finishHandoffAction'>();
  const action = (id: number, text: string, dueAt: string | null): HandoffAction => ({
    id,
    text,
    dueAt,
    owner: null,
    doneAt: null,
    doneBy: null,
  });
  const weigh = action(1, 'Weigh', null);
  const call = action(2, 'Call the son', secondsAgo(-60));

  function listOf(actions: readonly HandoffAction[]) {
    return (
      <OpenActions
        label="Still to do"
        actions={actions}
        now={wardNow}
        timeZone="UTC"
        userId={1}
        canFinish
        onChanged={finished}
      />
    );
  }
  const finished = jest.fn<Promise<void>, []>();
  const rows = (): string[] => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

  beforeEach(() => {
    finish.mockReset().mockResolvedValue(null);
    finished.mockReset().mockResolvedValue();
    jest.mocked(useServerLost).mockReturnValue(null);
    setCalls({ finishHandoffAction: finish });
  });

  describe('actions that are not done', () => {
    it('cannot be marked while the server is away', () => {
      jest.mocked(useServerLost).mockReturnValue(wardNow);
      render(listOf([weigh]));
      expect(screen.getByRole('button', { name: 'Done: Weigh' })).toHaveProperty('disabled', true);
    });

    it('stay where they are when they are marked, so that the next one does not move under the pointer', async () => {
      const { rerender } = render(listOf([weigh, call]));
      expect(rows().map((row) => row.split(' · ')[0])).toEqual(['Call the son', expect.stringMatching(/^Weigh/)]);
      await userEvent.click(screen.getByRole('button', { name: 'Done: Call the son' }));
      rerender(listOf([weigh]));
      expect(screen.getAllByRole('button').map(({ ariaLabel }) => ariaLabel)).toEqual([
        'Undo: Call the son',
        'Done: Weigh',
      ]);
      await userEvent.click(screen.getByRole('button', { name: 'Undo: Call the son' }));
      expect(finish.mock.calls.map(([{ params, body }]) => [params.id, body.isDone])).toEqual([
        [2, true],
        [2, false],
      ]);
    });

    it('are as open as before if the server refuses', async () => {
      finish.mockRejectedValue(clientFailure('unreachable'));
      render(listOf([weigh]));
      await userEvent.click(screen.getByRole('button', { name: 'Done: Weigh' }));
      expect(screen.getByRole('button', { name: 'Done: Weigh' })).toBeTruthy();
      expect(finished).not.toHaveBeenCalled();
    });
  });
});

describe('useHeldOrder', () => {
  const item = (id: number, severity: WardHandoff['severity'] = null): WardHandoff => ({
    patient: {
      id,
      mrn: `A-${id}`,
      givenName: 'Sam',
      familyName: `Sample${id}`,
      isTrial: false,
      dateOfBirth: '1950-03-07',
      sex: 'unknown',
      unit: null,
      bed: null,
      profile: 'continuous',
    },
    severity,
    writing: null,
    given: null,
    received: null,
    openActions: [],
  });

  describe('the order of the handovers', () => {
    const start = { items: [item(1), item(2), item(3)], frozen: null as number | null };
    const hold = () => renderHook(({ items, frozen }) => useHeldOrder(items, frozen), { initialProps: start });
    const idsOf = (items: readonly WardHandoff[]): number[] => items.map(({ patient }) => patient.id);

    it('is that of the server while no one points at the list', () => {
      const { result, rerender } = hold();
      rerender({ items: [item(3, 'unstable'), item(1)], frozen: null });
      expect(idsOf(result.current)).toEqual([3, 1]);
    });

    it('holds still under a pointer, shows what is known now, and puts newcomers last', () => {
      const { result, rerender } = hold();
      rerender({ ...start, frozen: 1 });
      rerender({ items: [item(4, 'unstable'), item(3, 'unstable'), item(1)], frozen: 1 });
      expect(idsOf(result.current)).toEqual([1, 2, 3, 4]);
      expect(result.current[2]?.severity).toBe('unstable');
      rerender({ items: [item(4, 'unstable'), item(3, 'unstable'), item(1)], frozen: null });
      expect(idsOf(result.current)).toEqual([4, 3, 1]);
    });
  });
});
