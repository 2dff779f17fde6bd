import fc from 'fast-check';
import { inOrderOfUrgency, type RankedAlert } from './inOrderOfUrgency';
import { priorities } from './priority';

const alert = (more: Partial<RankedAlert> = {}): RankedAlert => ({
  id: 1,
  parameter: 'spo2',
  rule: 'spo2.low',
  priority: 'high',
  condition: 'active',
  isOwned: false,
  isAsystole: false,
  escalationStep: 1,
  lastRaisedAt: 1_000,
  ...more,
});

describe('the order of alerts', () => {
  it.each<[string, Partial<RankedAlert>, Partial<RankedAlert>]>([
    ['MEDIUM before LOW, also if a user has accepted it', { priority: 'medium', isOwned: true }, { priority: 'low' }],
    ['MEDIUM that no one has accepted before HIGH that a user has', { priority: 'medium' }, { isOwned: true }],
    ['HIGH before MEDIUM', {}, { priority: 'medium', escalationStep: 4 }],
    ['a patient before equipment', { condition: 'ended' }, { parameter: 'gateway', rule: 'gateway.long' }],
    ['what lasts before what has ended', { lastRaisedAt: 1 }, { condition: 'ended', rule: 'spo2.desat' }],
    ['asystole before a desaturation', { rule: 'hr.extreme', isAsystole: true }, { rule: 'spo2.desat' }],
    ['a desaturation before a red flag', { rule: 'spo2.desat' }, { rule: 'symptoms.red_flag' }],
    ['a red flag before an extreme rate', { rule: 'symptoms.red_flag' }, { rule: 'hr.extreme' }],
    ['an extreme rate before a low SpO2', { rule: 'hr.extreme' }, { rule: 'spo2.low' }],
    ['a low SpO2 before a red reading at home', {}, { rule: 'home.spo2.red', escalationStep: 4 }],
    ['a red reading at home before the rest', { rule: 'home.spo2.red' }, { rule: 'home.weight.red' }],
    ['what was escalated further', { escalationStep: 3, lastRaisedAt: 1 }, { escalationStep: 2 }],
    ['what was raised or upgraded last', { lastRaisedAt: 2_000 }, { id: 9 }],
  ])('puts %s first', (_, first, second) => {
    expect(inOrderOfUrgency(alert(first), alert(second))).toBeLessThan(0);
    expect(inOrderOfUrgency(alert(second), alert(first))).toBeGreaterThan(0);
  });

  it('is the same in whatever order the alerts come', () => {
    const any = fc.record({
      id: fc.nat(),
      parameter: fc.constantFrom('spo2', 'rate', 'gateway'),
      rule: fc.constantFrom('spo2.desat', 'hr.extreme', 'gateway.long', 'symptoms.red_flag'),
      priority: fc.constantFrom(...priorities),
      condition: fc.constantFrom('active', 'ended'),
      isOwned: fc.boolean(),
      isAsystole: fc.boolean(),
      escalationStep: fc.nat(4),
      lastRaisedAt: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.uniqueArray(any, { selector: ({ id }) => id }), (alerts) => {
        expect(alerts.toReversed().sort(inOrderOfUrgency)).toEqual([...alerts].sort(inOrderOfUrgency));
      }),
    );
  });
});
