import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { useRead } from '../../hooks/useRead';
import type { AuditEntry } from '../../lib/audit/schema';
import { chooseOption } from '../../test/antdSelect';
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
  outcome: 'done',
  details: {},
  ip: '10.0.0.7',
};
const refusal: AuditEntry = {
  ...look,
  id: 11,
  action: 'refused_call',
  outcome: 'refused',
  details: { route: 'GET /api/v2/patients/:id', code: 'not_found' },
};
const unknown: AuditEntry = {
  ...look,
  id: 10,
  actor: 'anonymous',
  actorName: null,
  action: 'sign_in',
  objectType: null,
  objectId: null,
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

describe('AuditScreen', () => {
  it('says in plain words who did what, about whom by number alone', async () => {
    const { container } = show([look, refusal, unknown]);
    const rows = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent);
    expect(rows[0]).toContain('Sam StaffLooked at a patientpatient 5');
    expect(rows[1]).toContain('Was refused');
    expect(rows[1]).toContain('code: not_found');
    expect(rows[2]).toContain('Not signed inSigned in (refused)');
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
    expect(violations).toEqual([]);
  });

  it('asks by person, act, patient and day of the site, from the newest on', async () => {
    const pointer = userEvent.setup();
    show([look]);
    await pointer.click(screen.getByRole('button', { name: 'Older' }));
    expect(asked()).toEqual({ before: '1-10' });
    await chooseOption(screen.getByLabelText('Person'), 'Sam Staff');
    expect(asked()).toEqual({ actor: '3' });
    await pointer.type(screen.getByLabelText('What'), 'looked at a p');
    await chooseOption(screen.getByLabelText('What'), 'Looked at a patient');
    await pointer.click(screen.getByRole('button', { name: 'patient 5' }));
    await pointer.type(screen.getByLabelText('To'), '2026-03-07');
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

  it('turns its pages to and fro', async () => {
    const pointer = userEvent.setup();
    show([look]);
    expect(screen.getByRole('button', { name: 'Newer' })).toHaveProperty('disabled', true);
    await pointer.click(screen.getByRole('button', { name: 'Older' }));
    await pointer.click(screen.getByRole('button', { name: 'Newer' }));
    expect(asked()).toEqual({});
  });

  it('offers the export to administrators alone, and tells others whose lines they see', () => {
    show([], inventedUser({ type: 'nurse' }), null);
    expect(screen.queryByRole('link', { name: 'Export as CSV' })).toBeNull();
    expect(screen.getByText(/Your own actions/)).toBeTruthy();
    expect(screen.getByText('No entries match these filters')).toBeTruthy();
  });
});
