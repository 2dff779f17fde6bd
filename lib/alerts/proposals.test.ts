import { userTypes } from '../session/userTypes';
import { approverOf, canApprove } from './proposals';

const proposer = 1;

describe('a proposal', () => {
  it.each([
    ['of a physician', [2], 'ward_lead'],
    ['of a physician, with two ward leads', [2, 3], 'ward_lead'],
    ['of a ward lead, with another one', [proposer, 2], 'ward_lead'],
    ['of the only ward lead', [proposer], 'physician'],
    ['of a physician, without a ward lead', [], 'no_one'],
  ] as const)('%s is approved by a certain user', (_, wardLeads, approver) => {
    expect(approverOf(proposer, wardLeads)).toBe(approver);
  });

  it.each(userTypes)('is never approved by its author, a %s', (type) => {
    for (const approver of ['ward_lead', 'physician', 'no_one'] as const) {
      expect(canApprove({ id: proposer, type }, proposer, approver)).toBe(false);
    }
  });

  it.each(userTypes)('is approved by another %s only if that is the one who approves', (type) => {
    const other = { id: 2, type };
    expect(canApprove(other, proposer, 'ward_lead')).toBe(type === 'ward_lead');
    expect(canApprove(other, proposer, 'physician')).toBe(type === 'physician');
    expect(canApprove(other, proposer, 'no_one')).toBe(false);
  });
});
