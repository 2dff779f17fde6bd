import { createReducer } from '@reduxjs/toolkit';
import * as actions from './actions';

export interface LayoutState {
  /** Whether the sidebar is folded. */
  collapsed: boolean;
}

const initialState: LayoutState = { collapsed: true };

export const layoutReducer = createReducer(initialState, (builder) => {
  builder
    .addCase(actions.toggleSidebar, (state) => {
      state.collapsed = !state.collapsed;
    })
    .addCase(actions.openSidebar, (state) => {
      state.collapsed = false;
    })
    .addCase(actions.closeSidebar, (state) => {
      state.collapsed = true;
    });
});
