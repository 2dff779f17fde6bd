import { logWords } from './logWords';
import { loggedEvent, type LoggedEvent } from './schema';

const at = '2026-05-01T10:00:00.000Z';
const ada = { id: 1, name: 'Ada Example' };
const kim = { id: 2, name: 'Kim Example' };
const itself = { at, by: null };
const to = { roles: ['nurse' as const], users: [ada], wholeUnit: false, unheld: [], contact: null };

const lines: [LoggedEvent, string][] = [
  [{ is: 'raised', ...itself, rule: 'spo2.low', priority: 'high' }, 'Raised with high priority: SpO2 low'],
  [
    { is: 'raised_again', ...itself, rule: 'hr.low', priority: 'medium', episodes: 3 },
    'Raised again with medium priority: Heart rate low, 3 times so far',
  ],
  [{ is: 'resumed', ...itself }, 'Goes on: late values show that it had not ended'],
  [
    { is: 'upgraded', ...itself, rule: 'spo2.desat', from: 'medium', to: 'high' },
    'More urgent, from medium to high priority: SpO2 very low',
  ],
  [
    { is: 'upgraded', ...itself, rule: 'spo2.desat', from: 'high', to: 'high' },
    'Another rule, high priority: SpO2 very low',
  ],
  [
    { is: 'downgraded', ...itself, rule: 'of another release', from: 'high', to: 'low' },
    'Less urgent, from high to low priority: of another release',
  ],
  [{ is: 'ended', ...itself, lowest: 84, highest: 88 }, 'Condition ended, lowest 84, highest 88'],
  [{ is: 'ended', ...itself, lowest: 0, highest: 0 }, 'Condition ended, lowest 0'],
  [{ is: 'ended', ...itself, lowest: null, highest: null }, 'Condition ended'],
  [{ is: 'withdrawn', ...itself }, 'Withdrawn: values were corrected'],
  [
    { is: 'retrospective', ...itself, rule: 'spo2.low', priority: 'high' },
    'Found in values that came too late, high priority: SpO2 low',
  ],
  [{ is: 'asked', ...itself, step: 0, to }, 'Step 0, asked: nurse Ada Example'],
  [
    {
      is: 'asked',
      ...itself,
      step: 2,
      to: { ...to, roles: ['charge_nurse'], users: [], unheld: ['charge_nurse'], wholeUnit: true },
    },
    'Step 2, asked: charge nurse (none on duty), whole unit',
  ],
  [
    { is: 'owner_asked', ...itself, user: ada, because: 'lasting' },
    'Asked Ada Example to take it again, because it lasts',
  ],
  [{ is: 'reminded', ...itself, reminder: 2 }, 'Sounds again, reminder 2'],
  [{ is: 'acknowledged', at, by: ada }, 'Ada Example acknowledged it'],
  [{ is: 'accepted', at, by: ada }, 'Ada Example took it'],
  [{ is: 'accepted', at, by: ada, comment: 'On my way' }, 'Ada Example took it: On my way'],
  [{ is: 'rejected', at, by: ada, reason: 'In theatre' }, 'Ada Example cannot come: In theatre'],
  [{ is: 'acknowledgement_withdrawn', at, by: ada }, 'Ada Example took the acknowledgement back'],
  [{ is: 'acceptance_withdrawn', at, by: ada }, 'Ada Example gave it back'],
  [{ is: 'reassigned', at, by: ada, user: kim }, 'Ada Example asked Kim Example to take it'],
  [{ is: 'released', ...itself, user: kim, because: 'moved' }, 'Kim Example no longer has it: patient moved'],
  [{ is: 'audio_paused', at, by: ada, until: '2026-05-01T10:02:00.000Z' }, 'Ada Example paused its sound until 11:02'],
  [
    { is: 'resolved', at, by: ada, outcome: 'artefact', note: 'Cold hand' },
    'Ada Example recorded: Artefact, not the patient. Cold hand',
  ],
  [{ is: 'closed', ...itself, because: 'administrative', reason: 'discharged' }, 'Closed: administrative, discharged'],
];

describe('the log of an alert in words', () => {
  it('has a sentence for every line that there can be', () => {
    const known = loggedEvent.options.map(({ shape }) => shape.is.value);
    expect([...new Set(lines.map(([{ is }]) => is))].sort()).toEqual(known.sort());
  });

  it.each(lines)('says %j', (event, words) => {
    expect(logWords(event, 'Europe/London')).toBe(words);
  });
});
