import { useStore } from 'react-redux';
import type { AppStore } from './index';

/** The store of the Provider around a component. */
export const useAppStore = useStore.withTypes<AppStore>();
