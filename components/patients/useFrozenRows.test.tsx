import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createHeldRows, type HeldRows } from '../../hooks/heldRows';
import { frozenForMs, touchedForMs, useFreeze } from '../../hooks/useFreeze';
import { useMoveGuard } from '../alerts/useMoveGuard';
import { useFrozenRows } from './useFrozenRows';

interface ListProps {
  query?: string;
  ids: readonly number[] | null;
  /** Whether a row has a button that goes by itself. */
  hasUndo?: boolean;
}

let held: HeldRows;
let endRefresh: () => void;
const refresh = jest.fn(() => new Promise<void>((resolve) => (endRefresh = resolve)));
const onClick = jest.fn();

function List({ query = 'all', ids, hasUndo = false }: ListProps) {
  const { frozen, renew, handlers } = useFreeze();
  useFrozenRows({ query, ids, refresh }, held, frozen);
  const { onClickCapture } = useMoveGuard(ids?.join() ?? '', query);
  return (
    <>
      <div data-testid="list" onClickCapture={onClickCapture} {...handlers}>
        <button type="button" onClick={onClick}>
          {ids?.join()}
        </button>
        {hasUndo ? <button type="button">Undo</button> : null}
      </div>
      <button type="button" onClick={renew}>
        beside
      </button>
    </>
  );
}

const list = () => screen.getByTestId('list');
const inside = () => screen.getAllByRole('button')[0] ?? document.body;
const show = (props: ListProps) => {
  const { rerender, unmount } = render(<List {...props} />);
  return { change: (next: ListProps) => rerender(<List {...next} />), unmount };
};
const enter = (pointerType = 'mouse') => fireEvent.pointerEnter(list(), { pointerType });
const leave = (pointerType = 'mouse') => fireEvent.pointerLeave(list(), { pointerType });

beforeEach(() => {
  jest.useFakeTimers();
  held = createHeldRows();
  refresh.mockClear();
  onClick.mockClear();
});
afterEach(() => jest.useRealTimers());

describe('the rows of a list', () => {
  it('are not held without a pointer or the keyboard', () => {
    show({ ids: [1, 2] });
    expect(held.idsOf('all')).toBeNull();
  });

  it('are not held before they are known', () => {
    const { change } = show({ ids: null });
    enter();
    expect(held.idsOf('all')).toBeNull();
    change({ ids: [2, 1] });
    expect(held.idsOf('all')).toEqual([2, 1]);
  });

  it('are held as they were when the pointer came, until it leaves', () => {
    const { change } = show({ ids: [1, 2] });
    enter();
    expect(held.idsOf('all')).toEqual([1, 2]);
    change({ ids: [1, 2] });
    expect(held.idsOf('all')).toEqual([1, 2]);
    expect(refresh).not.toHaveBeenCalled();
    leave();
    expect(held.idsOf('all')).toBeNull();
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it('are held until both the pointer and the focus have left', () => {
    show({ ids: [1, 2] });
    enter();
    act(() => inside().focus());
    leave();
    expect(held.isHeld()).toBe(true);
    act(() => screen.getByRole('button', { name: 'beside' }).focus());
    expect(held.isHeld()).toBe(false);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it('are let go when the pointer leaves if what had the focus is gone, which no event says', () => {
    const { change } = show({ ids: [1, 2], hasUndo: true });
    enter();
    act(() => screen.getByRole('button', { name: 'Undo' }).focus());
    change({ ids: [1, 2] });
    expect(held.isHeld()).toBe(true);
    leave();
    expect(held.isHeld()).toBe(false);
  });

  it('are held after a finger has left: the click comes later', async () => {
    show({ ids: [1, 2] });
    const finger = userEvent.setup({ advanceTimers: jest.advanceTimersByTime, delay: null });
    await finger.pointer([{ keys: '[TouchA]', target: inside().parentElement ?? inside() }]);
    expect(held.isHeld()).toBe(true);
    // A touch is no resting pointer: the list of a tablet goes on soon.
    act(() => jest.advanceTimersByTime(touchedForMs));
    expect(held.isHeld()).toBe(false);
  });

  it('are let go two minutes after the last movement or key, and held again with the next', () => {
    show({ ids: [1, 2] });
    enter();
    act(() => jest.advanceTimersByTime(frozenForMs - 1));
    fireEvent.pointerMove(list());
    act(() => jest.advanceTimersByTime(frozenForMs - 1));
    fireEvent.keyDown(inside(), { key: 'j' });
    act(() => jest.advanceTimersByTime(frozenForMs - 1));
    expect(held.isHeld()).toBe(true);
    act(() => jest.advanceTimersByTime(1));
    expect(held.isHeld()).toBe(false);
    expect(refresh).toHaveBeenCalledTimes(1);
    fireEvent.pointerMove(list());
    expect(held.isHeld()).toBe(true);
  });

  it('of another view are held instead, once they are known', () => {
    const { change } = show({ ids: [1, 2] });
    enter();
    change({ query: 'other', ids: null });
    expect(held.idsOf('other')).toBeNull();
    change({ query: 'other', ids: [7, 8] });
    expect(held.idsOf('other')).toEqual([7, 8]);
    expect(held.idsOf('all')).toBeNull();
  });

  it('are read again if the user asks for what is new, and held as they are then', async () => {
    const { change } = show({ ids: [1, 2] });
    enter();
    act(() => screen.getByRole('button', { name: 'beside' }).click());
    expect(held.isHeld()).toBe(false);
    expect(refresh).toHaveBeenCalledTimes(1);
    change({ ids: [3, 1, 2] });
    expect(held.isHeld()).toBe(false);
    await act(async () => {
      endRefresh();
      await Promise.resolve();
    });
    expect(held.idsOf('all')).toEqual([3, 1, 2]);
  });

  it('are let go with the page', () => {
    const { unmount } = show({ ids: [1, 2] });
    enter();
    unmount();
    expect(held.isHeld()).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('take no clicks for half a second after they have moved under a resting pointer', () => {
    const { change } = show({ ids: [1, 2] });
    enter();
    act(() => jest.advanceTimersByTime(frozenForMs));
    change({ ids: [2, 1] });
    fireEvent.click(inside());
    act(() => jest.advanceTimersByTime(499));
    fireEvent.click(inside());
    expect(onClick).not.toHaveBeenCalled();
    act(() => jest.advanceTimersByTime(1));
    fireEvent.click(inside());
    expect(onClick).toHaveBeenCalledTimes(1);
  });

  it('take a click at once in the view that the user has just opened', () => {
    const { change } = show({ ids: [1, 2] });
    enter();
    change({ query: 'other', ids: [7, 8] });
    fireEvent.click(inside());
    expect(onClick).toHaveBeenCalledTimes(1);
  });
});
