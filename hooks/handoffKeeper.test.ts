import { ApiFailure } from '../lib/browser/client';
import type { Handoff } from '../lib/handoffs/schema';
import { createHandoffKeeper } from './handoffKeeper';
import { poll } from './poll';

jest.mock('./poll');

const inventedHandoff = (change: Partial<Handoff> = {}): Handoff => ({
  id: 7,
  patientId: 4,
  version: 1,
  state: 'draft',
  severity: null,
  summary: '',
  contingencies: [],
  actions: [],
  receiver: { role: 'nurse' },
  carriedFrom: null,
  reviewedAt: null,
  changedBy: { id: 1, name: 'Ada Example' },
  changedAt: '2026-05-01T10:00:00.000Z',
  giver: null,
  givenAt: null,
  receivedBy: null,
  receivedAt: null,
  readBack: null,
  question: null,
  returnedBy: null,
  facts: null,
  ...change,
});

const refusal = (code: string): ApiFailure => new ApiFailure(code, 'Somebody was first.', { status: 409 });

describe('the handoff that is written on a page', () => {
  afterEach(() => {
    jest.resetAllMocks();
  });

  function written() {
    const keeper = createHandoffKeeper(1, 4);
    keeper.follow(inventedHandoff());
    return keeper;
  }

  it('keeps what is typed when the server has another version, and shows both', async () => {
    const keeper = written();
    const theirs = inventedHandoff({ version: 2, summary: 'Theirs' });
    jest.mocked(poll).mockRejectedValueOnce(refusal('handoff_changed'));
    jest.mocked(poll).mockResolvedValueOnce({ data: { items: [theirs], openActions: [] }, serverTime: 0 });
    keeper.change({ summary: 'Mine' });
    await expect(keeper.save()).resolves.toBe(false);
    expect(keeper.read()).toMatchObject({ fields: { summary: 'Mine' }, conflict: { summary: 'Theirs' } });
    jest.mocked(poll).mockResolvedValueOnce({ data: inventedHandoff({ version: 3, summary: 'Mine' }), serverTime: 0 });
    await keeper.resolve('this');
    expect(jest.mocked(poll).mock.lastCall).toMatchObject(['saveHandoff', { body: { version: 2, summary: 'Mine' } }]);
    expect(keeper.read()).toMatchObject({ conflict: null, stored: { version: 3 } });
  });

  it('is not replaced by a response while it is typed, and goes on in the next one if it was given elsewhere', () => {
    const keeper = written();
    keeper.change({ summary: 'Mine' });
    keeper.follow(inventedHandoff({ version: 2, summary: 'Theirs' }));
    keeper.follow(null);
    keeper.follow(inventedHandoff({ id: 8 }));
    expect(keeper.read()).toMatchObject({ fields: { summary: 'Mine' }, stored: { id: 8 } });
  });

  it('takes its own stored text for stored when the response was lost', async () => {
    const keeper = written();
    jest.mocked(poll).mockRejectedValueOnce(refusal('handoff_changed'));
    const ours = inventedHandoff({ version: 2, summary: 'Mine' });
    jest.mocked(poll).mockResolvedValueOnce({ data: { items: [ours], openActions: [] }, serverTime: 0 });
    keeper.change({ summary: 'Mine' });
    await expect(keeper.save()).resolves.toBe(true);
    expect(keeper.read()).toMatchObject({ conflict: null, stored: { version: 2 } });
  });

  it('leaves out characters that no store keeps', () => {
    const keeper = written();
    const actions = [{ text: 'Weigh\tat\n6', owner: null, dueAt: null }];
    keeper.change({
      summary: 'Slept\0\nwell',
      actions,
      contingencies: [{ condition: 'SpO2\t< 88', action: 'call\ud83d' }],
    });
    expect(keeper.read()?.fields).toMatchObject({
      summary: 'Slept\nwell',
      actions: [{ text: 'Weigh at 6' }],
      contingencies: [{ condition: 'SpO2 < 88', action: 'call' }],
    });
  });

  it('stores no if-then without its then, and says that it is not all stored', async () => {
    const keeper = written();
    keeper.change({ contingencies: [{ condition: 'SpO2 < 88', action: '' }] });
    await expect(keeper.save()).resolves.toBe(false);
    expect(poll).not.toHaveBeenCalled();
  });
});
