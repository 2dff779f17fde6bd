import { call, type CallResponse } from '../lib/browser/client';
import { useOnce, type OnceState } from './useOnce';

export type RegistrationSites = CallResponse<'listRegistrationSites'>['items'];

/** Reads the sites that take requests for an account. */
export function useRegistrationSites(): OnceState<RegistrationSites> {
  return useOnce('registration sites', async () => (await call('listRegistrationSites', {})).items);
}
