import { act, renderHook } from '@testing-library/react';
import { Provider } from 'react-redux';
import { makeStore } from '../store/index';
import { useSidebar } from './useSidebar';

it('is folded at first, and opens, folds and toggles on request', () => {
  const store = makeStore();
  const { result } = renderHook(() => useSidebar(), {
    wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
  });
  expect(result.current.collapsed).toBe(true);
  act(() => result.current.open());
  expect(result.current.collapsed).toBe(false);
  act(() => result.current.close());
  expect(result.current.collapsed).toBe(true);
  act(() => result.current.toggle());
  expect(result.current.collapsed).toBe(false);
  store.watchers?.cancel();
});
