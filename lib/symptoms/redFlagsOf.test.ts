import { redFlagsOf } from './redFlagsOf';
import { redFlags, symptomAnswers, symptoms, type RedFlag, type Symptom } from './symptoms';

const names = Object.keys(symptoms) as Symptom[];

describe('redFlagsOf', () => {
  it.each([
    ['dyspnoea', 'severe', 'severeBreathlessness'],
    ['dyspnoea', 'moderate', null],
    ['chestPain', 'severe', 'severeChestPain'],
    ['chestPain', 'moderate', null],
    ['confusion', 'mild', 'newConfusion'],
    ['confusion', 'absent', null],
    ['confusion', 'unanswered', null],
    ['syncope', 'mild', 'collapse'],
    ['syncope', 'absent', null],
    ['haemoptysis', 'mild', 'coughingBlood'],
    ['haemoptysis', 'absent', null],
  ] as const)('%s %s: %s', (symptom, answer, flag) => {
    expect(redFlagsOf({ [symptom]: answer }, [])).toEqual(flag === null ? [] : [flag]);
  });

  it('is raised by no other answer', () => {
    const raising = names.filter((name) =>
      symptomAnswers.some((answer) => redFlagsOf({ [name]: answer }, []).length > 0),
    );
    expect(raising).toEqual(['dyspnoea', 'haemoptysis', 'chestPain', 'syncope', 'confusion']);
  });

  it('keeps every flag that was ticked, once and in the order of the table, whatever was answered', () => {
    const all = Object.keys(redFlags) as RedFlag[];
    expect(redFlagsOf({}, all.toReversed())).toEqual(all);
    expect(redFlagsOf({ confusion: 'absent' }, ['newConfusion', 'newConfusion'])).toEqual(['newConfusion']);
  });
});
