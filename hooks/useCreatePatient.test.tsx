import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { ApiFailure } from '../lib/browser/client';
import type { Patient } from '../lib/patients/schema';
import { swrConfig } from './swrConfig';
import { useCreatePatient } from './useCreatePatient';
import { usePatients, type PatientsListQuery } from './usePatients';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: object]>();
const mockCall = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
  call: (...given: Parameters<typeof mockCall>) => mockCall(...given),
}));

const query: PatientsListQuery = {
  state: 'active',
  unit: undefined,
  mine: false,
  sort: 'familyName',
  page: 1,
  pageSize: 25,
  text: '',
};
const body = { mrn: 'M1', givenName: 'Ada', familyName: 'Example', dateOfBirth: '1950-12-31' };
const created: Patient = {
  ...body,
  id: 1,
  sex: 'unknown',
  location: null,
  profile: 'continuous',
  spo2Scale: 1,
  state: 'active',
  version: 1,
  standby: null,
  comfortCare: null,
  latest: {},
};

async function render() {
  mockAsk
    .mockReset()
    .mockImplementation(() =>
      Promise.resolve({ data: { items: [], total: 0, version: '1', units: [] }, serverTime: 1 }),
    );
  const { result } = renderHook(() => ({ create: useCreatePatient(), list: usePatients(query) }), {
    wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
  });
  await act(async () => {});
  mockAsk.mockClear();
  return result;
}

describe('adding a patient', () => {
  it('throws why the server refused and polls no list', async () => {
    const refusal = new ApiFailure('mrn_exists', 'No.', { status: 409, id: 3 });
    mockCall.mockRejectedValue(refusal);
    const result = await render();
    await expect(act(() => result.current.create(body))).rejects.toBe(refusal);
    expect(mockAsk).not.toHaveBeenCalled();
  });

  it('returns the patient and polls the lists of the page', async () => {
    mockCall.mockResolvedValue(created);
    const result = await render();
    let patient: Patient | undefined;
    await act(async () => {
      patient = await result.current.create(body);
    });
    expect(patient).toBe(created);
    expect(mockCall).toHaveBeenCalledWith('createPatient', { body });
    expect(mockAsk).toHaveBeenCalledTimes(1);
  });
});
