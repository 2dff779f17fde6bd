/** @jest-environment jsdom */
import { keepTourPatient, keptTourPatient } from './tourPatient';

const key = 'wardlight-tour-patient';

beforeEach(() => sessionStorage.clear());

describe('the patient of the walkthrough', () => {
  it('is the last one that was selected for this user in this tab', () => {
    expect(keptTourPatient(7)).toBeNull();
    keepTourPatient(7, 12);
    keepTourPatient(7, 13);
    expect(keptTourPatient(7)).toBe(13);
    expect(keptTourPatient(8)).toBeNull();
    keepTourPatient(7, null);
    expect(keptTourPatient(7)).toBeNull();
  });

  it.each(['13', '7 x', '7 13,14', '7 13 Sample', ''])('is no one if the stored text is no id: "%s"', (text) => {
    sessionStorage.setItem(key, text);
    expect(keptTourPatient(7)).toBeNull();
  });

  it('is no one where the tab stores nothing', () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('full');
    });
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new Error('closed');
    });
    keepTourPatient(7, 12);
    expect(keptTourPatient(7)).toBeNull();
  });
});
