import { useStore } from 'react-redux';
import type { AppStore } from './index';

/** Returns the store of the Provider around a component. */
export const useAppStore = useStore.withTypes<AppStore>();
