import { historyPlace, historySubject } from './historySubject';

const noPatient = { patient: null, patientId: null };

it.each([
  [{ ...noPatient, deviceName: 'Hub 7', parameter: 'battery' }, 'Hub 7', 'Equipment'],
  [{ ...noPatient, deviceName: 'Ward 4', parameter: 'report' }, 'Ward 4', 'Issue report'],
  [{ patient: null, patientId: 5, deviceName: null, parameter: 'spo2' }, 'Patient', 'Name not shown'],
] as const)('an alert of %j is about "%s", at "%s"', (item, subject, place) => {
  expect(historySubject(item)).toBe(subject);
  expect(historyPlace(item)).toBe(place);
});
