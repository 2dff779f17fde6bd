import { createAction } from '@reduxjs/toolkit';
import * as types from '../actionTypes';

export const toggleSidebar = createAction(types.TOGGLE_SIDEBAR);
export const openSidebar = createAction(types.OPEN_SIDEBAR);
export const closeSidebar = createAction(types.CLOSE_SIDEBAR);
