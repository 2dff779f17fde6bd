/** @jest-environment jsdom */
import Cookies from 'js-cookie';
import { makeStore } from '../index';
import { closeSidebar, openSidebar, toggleSidebar } from './actions';
import { readSidebar } from './sidebarCookie';

describe('the sidebar', () => {
  it('keeps in its cookie how its user left it, at once', () => {
    Cookies.remove('sidebar');
    const store = makeStore();
    expect(readSidebar()).toBeNull();
    store.dispatch(openSidebar());
    expect(readSidebar()).toBe(false);
    store.dispatch(toggleSidebar());
    expect(readSidebar()).toBe(true);
    store.dispatch(toggleSidebar());
    expect(readSidebar()).toBe(false);
    store.dispatch(closeSidebar());
    expect(readSidebar()).toBe(true);
    store.watchers?.cancel();
  });
});
