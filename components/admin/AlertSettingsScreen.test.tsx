import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { defaultEscalationTimes } from '../../lib/alerts/escalationTimes';
import type { EscalationSettings } from '../../lib/alerts/escalationTimesSchema';
import type { Proposal } from '../../lib/proposals/proposals';
import type { LimitsProposal, SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { ApiFailure } from '../../lib/browser/client';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { AlertSettingsScreen } from './AlertSettingsScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/alert_settings' }) }));
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/useCall');

const ada = { id: 91, name: 'Ada Example' };
const noor = { id: 92, name: 'Noor Sample' };

const proposal: Proposal = {
  id: 7,
  state: 'proposed',
  reason: 'Night shifts are short of staff',
  proposedAt: secondsAgo(3_600),
  proposedBy: ada,
  expiresAt: secondsAgo(-71 * 3_600),
  decided: null,
  approver: 'ward_lead',
  canApprove: true,
  canReject: true,
};
const limitsProposal = (change: Partial<LimitsProposal> = {}): LimitsProposal => ({
  ...proposal,
  rule: 'spo2.low',
  scale: 1,
  held: { low: 88, high: null },
  wanted: { low: 90, high: null },
  values: { low: 90 },
  reviewAt: null,
  ...change,
});
const limits: SiteLimitsResponse = {
  items: [
    {
      rule: 'spo2.low',
      scale: 1,
      priority: 'high',
      unit: '%',
      lowIs: 'below',
      delayMs: 15_000,
      bounds: { low: { min: 80, max: 92 }, high: null },
      default: { low: 88, high: null },
      holds: { low: 88, high: null },
      site: null,
      settingId: null,
    },
    {
      rule: 'hr.extreme',
      scale: null,
      priority: 'high',
      unit: '/min',
      lowIs: 'atMost',
      delayMs: 15_000,
      bounds: { low: { min: 30, max: 50 }, high: { min: 120, max: 180 } },
      default: { low: 40, high: 150 },
      holds: { low: 40, high: 160 },
      site: {
        values: { high: 160 },
        reason: 'Fewer alarms',
        reviewAt: null,
        isReviewDue: false,
        setAt: secondsAgo(86_400),
        setBy: ada,
        approvedBy: noor,
      },
      settingId: 5,
    },
  ],
  history: [],
  proposals: [],
};
const escalation: EscalationSettings = {
  default: defaultEscalationTimes,
  now: defaultEscalationTimes,
  settingId: null,
  proposals: [],
};

const lead = inventedUser({ id: 93, type: 'ward_lead' });

function show(
  { of = limits, times = escalation }: { of?: SiteLimitsResponse; times?: EscalationSettings } = {},
  user: User = lead,
) {
  setReads({ getSiteLimits: answered(of), getEscalationTimes: answered(times) });
  return render(<AlertSettingsScreen user={user} now={wardNow} />);
}
const row = (table: string, name: string | RegExp) =>
  within(screen.getByRole('table', { name: table })).getByRole('row', { name });
const cellsOf = (table: string, name: string | RegExp): (string | null)[] =>
  within(row(table, name))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

describe('AlertSettingsScreen', () => {
  beforeEach(() => {
    setCalls({});
  });

  it('shows nurses what holds, and no way to change it', () => {
    show({}, inventedUser());
    expect(cellsOf('Escalation', /^HIGH on the ward/)).toEqual([
      'nurse',
      'after 60 sbuddy and charge nurse',
      'after 2 minwhole unit and on-call physician',
      'after 5 minwhole unit and charge nurse to call rapid response',
    ]);
    expect(
      screen.getByText(/^3 HIGH raises within 15 min of one patient and parameter ask the next step/),
    ).toBeTruthy();
    expect(cellsOf('Limits', /^SpO2 low, scale 1/)).toEqual(['HIGH', '< 88 %', '< 88 %', '', '80 to 92 %']);
    expect(cellsOf('Limits', /^Heart rate extreme/).slice(0, 3)).toEqual([
      'HIGH',
      '≤ 40 or ≥ 150 /min',
      '≤ 40 or ≥ 160 /minAda Example, Noor Sample, 06 Mar 2026, 15:00',
    ]);
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('shows an open proposal beside what holds, and who approves it', () => {
    const wanted = { ...defaultEscalationTimes, repeat: { raises: 2, withinMinutes: 15 } };
    const times = { ...escalation, proposals: [{ ...proposal, id: 9, held: defaultEscalationTimes, wanted }] };
    show({ of: { ...limits, proposals: [limitsProposal()] }, times });
    expect(cellsOf('Limits', /^SpO2 low, scale 1/)[3]).toBe('< 90 %');
    expect(screen.getByText('proposed: 2 HIGH raises within 15 min')).toBeTruthy();
    const card = within(screen.getByRole('listitem', { name: 'SpO2 low, scale 1' }));
    expect(card.getByText('< 88 % → < 90 %')).toBeTruthy();
    expect(
      card.getByText('Proposed by Ada Example, 07 Mar 2026, 14:00: “Night shifts are short of staff”'),
    ).toBeTruthy();
    expect(card.getByText(/A ward lead other than Ada Example approves. Expires 10 Mar 2026, 14:00/)).toBeTruthy();
    expect(screen.getByRole('listitem', { name: 'Escalation times' })).toBeTruthy();
  });

  it('offers to withdraw one’s own proposal, and not to approve it', () => {
    const own = limitsProposal({ proposedBy: { id: lead.id, name: 'You' }, canApprove: false });
    show({ of: { ...limits, proposals: [own] } });
    expect(screen.getByRole('button', { name: 'Withdraw SpO2 low, scale 1' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^(Approve|Reject)/ })).toBeNull();
    expect(screen.getByText(/A ward lead other than you approves/)).toBeTruthy();
  });

  it.each([
    ['physician', 'A physician approves, because Ada Example is the only ward lead.'],
    ['no_one', 'No one can approve it: the site has no ward lead. An administrator can add one.'],
  ] as const)('says so where %s approves', (approver, words) => {
    show({ of: { ...limits, proposals: [limitsProposal({ approver, canApprove: false, canReject: false })] } });
    expect(screen.getByText(new RegExp(words))).toBeTruthy();
  });

  it('approves after a question, and says what someone else did first', async () => {
    const approve = callMock<'approveSiteLimits'>();
    approve.mockRejectedValueOnce(new ApiFailure('proposal_decided', 'This proposal was approved by Noor Sample.'));
    approve.mockResolvedValue(limits);
    setCalls({ approveSiteLimits: approve });
    show({ of: { ...limits, proposals: [limitsProposal()] } });
    const press = async (): Promise<void> => {
      await userEvent.click(screen.getByRole('button', { name: 'Approve SpO2 low, scale 1' }));
      await userEvent.click(await screen.findByRole('button', { name: 'Approve' }));
    };
    await press();
    await expect(screen.findByText(/Not approved. This proposal was approved by Noor Sample/)).resolves.toBeTruthy();
    await press();
    await expect(screen.findByText('Approved: SpO2 low, scale 1. It holds now.')).resolves.toBeTruthy();
    expect(approve).toHaveBeenLastCalledWith({ params: { id: 7 } });
  });

  it('tells the author what became of a proposal, and lists all of them', () => {
    const decided = { at: secondsAgo(60), by: noor, reason: 'Too many alarms' };
    const own = { proposedBy: { id: lead.id, name: 'You' }, canApprove: false, canReject: false };
    const rejected = limitsProposal({ ...own, state: 'rejected', decided });
    const expired = limitsProposal({ id: 8, state: 'expired', decided: { at: secondsAgo(90), by: null, reason: '' } });
    show({ of: { ...limits, proposals: [rejected, expired] } });
    const outcomes = within(screen.getByRole('region', { name: 'Your proposals' })).getAllByRole('listitem');
    expect(outcomes[0]?.textContent).toContain(
      'Your proposal: SpO2 low, scale 1. Rejected by Noor Sample, 07 Mar 2026, 14:59: “Too many alarms”',
    );
    const history = within(screen.getByRole('region', { name: 'History' }));
    expect(history.getByText(/Expired without approval, 07 Mar 2026, 14:58/)).toBeTruthy();
  });

  it('lists what one user set alone in an earlier release', () => {
    const set = { values: { low: 42 }, reason: 'A trained heart', reviewAt: null, setAt: secondsAgo(0), setBy: ada };
    show({ of: { ...limits, history: [{ ...set, rule: 'hr.low', scale: null, approvedBy: null }] } });
    expect(screen.getByText('Heart rate low').closest('li')?.textContent).toContain('set by Ada Example alone');
  });

  it('proposes limits within their bounds, based on what is shown', async () => {
    const propose = callMock<'proposeSiteLimits'>();
    propose.mockResolvedValue(limits);
    setCalls({ proposeSiteLimits: propose });
    show({ of: { ...limits, proposals: [limitsProposal()] } });
    await userEvent.click(screen.getByRole('button', { name: 'Propose SpO2 low, scale 1' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Propose: SpO2 low, scale 1' }));
    expect(drawer.getByText('It replaces the proposal of Ada Example: < 90 %.')).toBeTruthy();
    await userEvent.type(await drawer.findByLabelText(/^Low limit/), '93');
    await writeInto(drawer.getByLabelText('Reason'), 'As the ward agreed');
    // Day first, as this site writes dates.
    await writeInto(drawer.getByLabelText('Review on'), '7/3/2027');
    await userEvent.tab();
    expect(drawer.getByLabelText('Review on')).toHaveProperty('value', '07 Mar 2027');
    await userEvent.click(drawer.getByRole('button', { name: 'Propose' }));
    await expect(drawer.findByText(/is not a whole number from 80 to 92/)).resolves.toBeTruthy();
    expect(propose).not.toHaveBeenCalled();
    await userEvent.type(drawer.getByLabelText(/^Low limit/), '{Backspace}1');
    await userEvent.click(drawer.getByRole('button', { name: 'Propose' }));
    await waitFor(() => expect(propose).toHaveBeenCalledTimes(1));
    expect(propose).toHaveBeenCalledWith({
      body: {
        rule: 'spo2.low',
        scale: 1,
        values: { low: 91 },
        reviewAt: '2027-03-07T00:00:00.000Z',
        basedOn: null,
        replaces: 7,
        reason: 'As the ward agreed',
      },
    });
  });

  it('proposes escalation times, each error at its step', async () => {
    const propose = callMock<'proposeEscalationTimes'>();
    propose.mockResolvedValue(escalation);
    setCalls({ proposeEscalationTimes: propose });
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Propose times' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Propose escalation times' }));
    const high = within(drawer.getByRole('group', { name: /^HIGH on the ward/ }));
    const first = high.getByLabelText('Step 1');
    await userEvent.clear(first);
    await userEvent.type(first, '20');
    await writeInto(drawer.getByLabelText('Reason'), 'As the ward agreed');
    await userEvent.click(drawer.getByRole('button', { name: 'Propose' }));
    await expect(high.findByText('Step 1 is not from 30 s to 3 min')).resolves.toBeTruthy();
    await userEvent.clear(first);
    await userEvent.type(first, '45');
    const medium = within(drawer.getByRole('group', { name: /^MEDIUM on the ward/ })).getByLabelText('Step 1');
    await userEvent.clear(medium);
    await userEvent.type(medium, '2.5');
    await userEvent.click(drawer.getByRole('button', { name: 'Propose' }));
    await waitFor(() => expect(propose).toHaveBeenCalledTimes(1));
    expect(propose.mock.lastCall?.[0].body).toEqual({
      times: {
        steps: { ...defaultEscalationTimes.steps, high: [45, 120, 300], medium: [150, 600, 1_800] },
        repeat: defaultEscalationTimes.repeat,
      },
      basedOn: null,
      replaces: null,
      reason: 'As the ward agreed',
    });
  });

  it('has no accessibility violation, with an open and a decided proposal', async () => {
    const decided = { at: secondsAgo(60), by: noor, reason: '' };
    const proposals = [limitsProposal(), limitsProposal({ id: 8, state: 'approved', decided })];
    const { container } = show({ of: { ...limits, proposals } });
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});
