import { useMemo } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { closeSidebar, openSidebar, toggleSidebar } from '../store/layout/actions';
import { selectCollapsed } from '../store/layout/selectors';

export interface Sidebar {
  collapsed: boolean;
  toggle: () => void;
  open: () => void;
  close: () => void;
}

/** Returns whether the sidebar is folded, and functions that change that. */
export function useSidebar(): Sidebar {
  const dispatch = useDispatch();
  const collapsed = useSelector(selectCollapsed);
  return useMemo(
    () => ({
      collapsed,
      toggle: () => void dispatch(toggleSidebar()),
      open: () => void dispatch(openSidebar()),
      close: () => void dispatch(closeSidebar()),
    }),
    [collapsed, dispatch],
  );
}
