import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRead } from '../../hooks/useRead';
import type { AuditEntry } from '../../lib/audit/schema';
import { chooseOption } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { answered, setReads } from '../../test/calls';
import { inventedUser } from '../../test/inventedWard';
import { AuditScreen } from './AuditScreen';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/audit' }) }));
jest.mock('../../hooks/useRead');

const admin = inventedUser({ id: 7, isAdmin: true });
const look: AuditEntry = {
  id: 12,
  at: '2026-03-07T14:05:09.000Z',
  actor: 'user',
  actorId: 3,
  actorName: 'Sam Staff',
  action: 'read_patient',
  objectType: 'patient',
  objectId: 5,
  about: 'Sample5 S., M1',
  outcome: 'done',
  details: {},
  names: {},
  ip: '10.0.0.7',
};
const refusal: AuditEntry = {
  ...look,
  id: 11,
  action: 'refused_call',
  objectType: null,
  objectId: null,
  about: null,
  outcome: 'refused',
  details: { route: 'GET /api/v2/patients/:id', code: 'not_found' },
};
const sealed: AuditEntry = {
  ...look,
  id: 9,
  actorId: null,
  actorName: null,
  action: 'refused_subject',
  outcome: 'refused',
  details: { route: 'GET /api/v2/patients/:id' },
  ip: null,
};
const unknown: AuditEntry = {
  ...look,
  id: 10,
  actor: 'anonymous',
  actorName: null,
  action: 'sign_in',
  objectType: null,
  objectId: null,
  about: null,
  outcome: 'refused',
};

function show(items: AuditEntry[], user = admin, next: string | null = '1-10') {
  setReads({
    listAudit: answered({ items, next }),
    listAuditPeople: answered({ items: [{ id: 3, name: 'Sam Staff' }] }),
  });
  return render(<AuditScreen user={user} />);
}
const asked = (): unknown => {
  const last = jest.mocked(useRead).mock.calls.findLast(([name]) => name === 'listAudit');
  return last?.[1] !== undefined && 'query' in last[1] ? last[1].query : undefined;
};

afterEach(() => {
  jest.useRealTimers();
});

describe('AuditScreen', () => {
  it('says in plain words who did what to whom', async () => {
    const { container } = show([look, refusal, unknown, sealed]);
    const rows = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent);
    expect(rows[0]).toContain('Sam StaffLooked at a patientSample5 S., M1');
    expect(rows[1]).toContain('Was refused');
    expect(rows[1]).toContain('code: not_found');
    expect(rows[2]).toContain('Not signed inSigned in (refused)');
    expect(rows[3]).toContain('A user of another siteWas refused a call about thisSample5 S., M1');
    await expect(axeViolations(container)).resolves.toEqual([]);
  });

  it('filters by person, action, patient and day of the site, and starts at the newest entry', async () => {
    const pointer = userEvent.setup();
    show([look]);
    await pointer.click(screen.getByRole('button', { name: 'Next Page' }));
    expect(asked()).toEqual({ before: '1-10' });
    await chooseOption(screen.getByLabelText('Person'), 'Sam Staff');
    expect(asked()).toEqual({ actor: '3' });
    await pointer.type(screen.getByLabelText('What'), 'looked at a p');
    await chooseOption(screen.getByLabelText('What'), 'Looked at a patient');
    await pointer.click(screen.getByRole('button', { name: 'Sample5 S., M1' }));
    await pointer.type(screen.getByLabelText('To'), '2026-03-07{Enter}');
    expect(screen.getByLabelText('To')).toHaveProperty('value', '07 Mar 2026');
    expect(asked()).toMatchObject({
      actor: '3',
      action: 'read_patient',
      patientId: '5',
      to: expect.stringMatching(/^2026-03-0[78]T/) as unknown,
    });
    expect(screen.getByRole('link', { name: 'Export as CSV' }).getAttribute('href')).toContain(
      'actor=3&action=read_patient',
    );
    await pointer.click(screen.getByRole('button', { name: /Patient 5 only/ }));
    expect(asked()).not.toHaveProperty('patientId');
  });

  it('takes today and the days of its filters from the site’s time zone', async () => {
    // Real timers: only the date is set.
    const timers = [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'setImmediate',
      'clearImmediate',
    ] as const;
    const others = [
      'nextTick',
      'queueMicrotask',
      'performance',
      'requestAnimationFrame',
      'cancelAnimationFrame',
    ] as const;
    jest.useFakeTimers({ now: Date.parse('2026-03-07T11:30:00Z'), doNotFake: [...timers, ...others] });
    const { site } = admin;
    show([look], { ...admin, site: { ...site, timeZone: 'Pacific/Auckland' } });
    await userEvent.click(screen.getByLabelText('From'));
    expect(document.querySelector('.ant-picker-cell-today')?.getAttribute('title')).toBe('2026-03-08');
    await userEvent.click(screen.getByText('Today'));
    expect(asked()).toEqual({ from: '2026-03-07T11:00:00.000Z' });
  });

  it('begins the weeks of its calendar on Monday', async () => {
    show([look]);
    await userEvent.click(screen.getByLabelText('From'));
    const [first] = document.querySelectorAll('.ant-picker-content th');
    expect(first?.textContent).toBe('Mo');
    const [day] = document.querySelectorAll('.ant-picker-cell');
    expect(new Date(`${day?.getAttribute('title') ?? ''}T12:00:00Z`).getUTCDay()).toBe(1);
  });

  it('turns to older pages and back', async () => {
    const pointer = userEvent.setup();
    show([look]);
    expect(screen.getByRole('button', { name: 'Previous Page' })).toHaveProperty('disabled', true);
    await pointer.click(screen.getByRole('button', { name: 'Next Page' }));
    await pointer.click(screen.getByRole('button', { name: 'Previous Page' }));
    expect(asked()).toEqual({});
  });

  it('offers the export only to administrators, and says to others whose actions they see', () => {
    show([], inventedUser({ type: 'nurse' }), null);
    expect(screen.queryByRole('link', { name: 'Export as CSV' })).toBeNull();
    expect(screen.getByText(/Your own actions/)).toBeTruthy();
    expect(screen.getByText('No entries match these filters')).toBeTruthy();
  });
});
