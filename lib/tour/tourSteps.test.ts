import { inventedUser } from '../../test/inventedWard';
import { canTour } from './canTour';
import { nextAddress, pageAddress, progressText, tourSize, tourSteps } from './tourSteps';

const nurse = tourSteps(inventedUser({ id: 1, type: 'nurse' }));

describe('the walkthrough', () => {
  it('has ten steps, each with its target, its page and where its button leads', () => {
    expect(tourSize).toBe(10);
    expect(nurse.map(({ target, page, next }) => [target, page, next])).toEqual([
      ['body', '/dashboard', undefined],
      ['[data-tour="sidebar"]', '/dashboard', undefined],
      ['[data-tour="alerts"]', '/dashboard', 'patients'],
      ['[data-tour="patients-table"]', '/patients', undefined],
      ['[data-tour="patient-row"]', '/patients', undefined],
      ['[data-tour="check-patient"]', '/patients', 'details'],
      ['[data-tour="charts"]', '/patient_details', undefined],
      ['[data-tour="notes"]', '/patient_details', undefined],
      ['[data-tour="patient-chart"]', '/patient_details', undefined],
      ['[data-tour="done"]', '/patient_details', 'start'],
    ]);
    expect(nurse[0]?.placement).toBe('center');
  });

  it('leads to the patients, to the details of one patient or of none, and to the start', () => {
    const leads = nurse.map((step) => nextAddress(step, 12));
    const from = (address: string | null) => leads.indexOf(address) + 1;
    expect(from('/patients')).toBe(3);
    expect(from('/patient_details?ids=12')).toBe(6);
    expect(from('/')).toBe(10);
    expect(leads.filter((address) => address !== null)).toHaveLength(3);
    expect(nurse.map((step) => nextAddress(step, null))[5]).toBe('/patient_details');
  });

  it('is resumed on the page of a step, with its patient where there is one', () => {
    expect(nurse.map((step) => pageAddress(step, 12)).slice(4, 8)).toEqual([
      '/patients',
      '/patients',
      '/patient_details?ids=12',
      '/patient_details?ids=12',
    ]);
    expect(nurse.map((step) => pageAddress(step, null))[6]).toBe('/patient_details');
  });

  it('says what each step is about, short and different for each', () => {
    expect(new Set(nurse.map(({ title }) => title)).size).toBe(10);
    expect(nurse.map(({ content }) => content.length).filter((length) => length > 160)).toEqual([]);
    expect(progressText(3)).toBe('4 of 10');
  });

  it('names to a viewer no act that a viewer cannot do', () => {
    const texts = tourSteps(inventedUser({ id: 1, type: 'viewer' })).map(({ title, content }) => `${title} ${content}`);
    expect(texts).toHaveLength(10);
    expect(texts.join(' ')).not.toMatch(/I’m on it|Acknowledge|add |Add |report an issue|hand patients over/);
  });

  it.each([
    ['nurse', true],
    ['physician', true],
    ['respiratory_therapist', true],
    ['ward_lead', true],
    ['viewer', true],
    ['technician', false],
    ['administrator', false],
    ['display', false],
  ] as const)('is for users who open all three pages: %s %s', (type, gets) => {
    expect(canTour(inventedUser({ id: 1, type }))).toBe(gets);
  });
});
