import { call, type CallResponse } from '../lib/browser/client';
import { useOnce, type OnceAnswer } from './useOnce';

export type RegistrationSites = CallResponse<'listRegistrationSites'>['items'];

/** The sites at which an account can be asked for. */
export function useRegistrationSites(): OnceAnswer<RegistrationSites> {
  return useOnce('registration sites', async () => (await call('listRegistrationSites', {})).items);
}
