import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useServerLost } from '../../hooks/useServerLost';
import { clientFailure } from '../../lib/browser/client';
import type { HandoffAction } from '../../lib/handoffs/schema';
import { callMock, setCalls } from '../../test/calls';
import { secondsAgo, wardNow } from '../../test/inventedWard';
import { OpenActions } from './OpenActions';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useServerLost');

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
