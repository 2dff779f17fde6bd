import { redFlags, symptoms } from '../symptoms/symptoms';
import { dangerSigns, symptomWords } from './patientWords';
import { receivedLines } from './receivedLines';
import { newCheckIn, type OpenedCheckIn } from './schema';
import { dangersOf } from './dangersOf';
import { answersOf, emptyCheckIn, isEmpty, readingsOf, type TypedCheckIn } from './typedCheckIn';

const red: OpenedCheckIn['red'] = { spo2: [{ is: 'atMost', value: 91 }], pulseRate: [], respiratoryRate: [] };
const typed = (change: Partial<TypedCheckIn>): TypedCheckIn => ({ ...emptyCheckIn, ...change });
const withReadings = (change: Partial<TypedCheckIn['readings']>): TypedCheckIn =>
  typed({ readings: { ...emptyCheckIn.readings, ...change } });

const dangersIn = (of: TypedCheckIn): string[] => dangersOf(answersOf(of), red, null);

describe('what a patient typed', () => {
  it('is empty until something is answered, and 0 is an answer', () => {
    expect(isEmpty(emptyCheckIn)).toBe(true);
    expect(isEmpty(withReadings({ spo2: ' ' }))).toBe(true);
    expect(isEmpty(typed({ breathlessness: 0 }))).toBe(false);
    expect(isEmpty(typed({ ticked: ['seizure'] }))).toBe(false);
    expect(isEmpty(typed({ answers: { cough: 'absent' } }))).toBe(false);
    expect(isEmpty(typed({ sinceYesterday: 'same' }))).toBe(false);
    expect(isEmpty(withReadings({ weight: 'x' }))).toBe(false);
  });

  it('never says "no" about a question without an answer', () => {
    const { answers } = answersOf(typed({ answers: { cough: 'absent' } }));
    expect(Object.keys(answers)).toEqual(Object.keys(symptoms));
    expect(Object.entries(answers).filter(([, answer]) => answer !== 'unanswered')).toEqual([['cough', 'absent']]);
  });

  it('is a check-in that the server takes', () => {
    const opened = { secret: 's', yearOfBirth: 1950, clientId: '00000000-0000-4000-8000-000000000000' };
    const clocks = { sentAt: '2026-05-01T10:00:00Z', reportedAt: '2026-05-01T10:00:00Z' };
    const all = typed({
      ticked: ['blueLips'],
      breathlessness: 0,
      sinceYesterday: 'worse',
      answers: { fever: 'mild' },
      readings: { spo2: '92', pulseRate: '80', temperature: '36,8', weight: '81.2', respiratoryRate: '16' },
    });
    expect(newCheckIn.parse({ ...opened, ...clocks, ...answersOf(all) })).toEqual({
      ...opened,
      ...clocks,
      ...answersOf(all),
    });
  });

  it('omits a reading that cannot have been measured', () => {
    expect(readingsOf(withReadings({ spo2: '930', pulseRate: '80' }))).toEqual({ pulseRate: 80 });
  });

  it('means danger by a ticked sign, by an answer that implies one, and by a RED reading, but by no slip', () => {
    expect(dangersIn(typed({ ticked: ['blueLips'] }))).toEqual(['Blue lips or face']);
    expect(dangersIn(typed({ answers: { haemoptysis: 'mild' } }))).toEqual(['Coughing up blood']);
    expect(dangersIn(withReadings({ spo2: '91' }))).toEqual(['Oxygen (SpO2): 91 %']);
    expect(dangersIn(withReadings({ spo2: '0' }))).toEqual([]);
    expect(dangersIn(withReadings({ spo2: '92' }))).toEqual([]);
    expect(dangersIn(emptyCheckIn)).toEqual([]);
    const found = { redFlags: ['seizure' as const], redReadings: ['pulseRate' as const] };
    expect(dangersOf(answersOf(withReadings({ spo2: '91' })), red, found)).toEqual([
      'A fit (seizure)',
      'Oxygen (SpO2): 91 %',
      'Pulse',
    ]);
  });

  it('is repeated in words, with the number of questions that were not answered', () => {
    expect(
      receivedLines(
        answersOf(
          typed({
            ticked: ['seizure'],
            breathlessness: 0,
            sinceYesterday: 'better',
            answers: { cough: 'absent' },
            readings: { ...emptyCheckIn.readings, pulseRate: '80', weight: '81,2' },
          }),
        ),
      ),
    ).toEqual([
      'A fit (seizure)',
      'Breathlessness now: 0 of 10',
      'Better than yesterday',
      'Cough: no',
      'Pulse: 80',
      'Weight: 81.2 kg',
      '19 questions not answered',
    ]);
  });
});

describe('the words for patients', () => {
  it('name each sign and each symptom, in the order of the tables', () => {
    expect(Object.keys(dangerSigns)).toEqual(Object.keys(redFlags));
    expect(Object.keys(symptomWords)).toEqual(Object.keys(symptoms));
  });
});
