import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Chart, WrittenEntry } from '../../lib/chart/schema';
import { isNone, slotOf } from '../../lib/chart/slotOf';
import { engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const codeStatus = (status: string) => ({ section: 'codeStatus', value: { status, limits: null } });
const allergy = (substance: string) => ({
  section: 'allergies',
  value: { is: 'allergy', substance, reaction: null, severity: 'mild' },
});
const what = [
  codeStatus('full'),
  codeStatus('noCpr'),
  allergy('Latex'),
  allergy('Nuts'),
  { section: 'allergies', value: { is: 'none' } },
];
const step = fc.record({
  by: fc.constantFrom(0, 1),
  is: fc.constantFrom('add', 'correct', 'end', 'entered-in-error'),
  what: fc.constantFrom(...what),
  of: fc.nat(9),
  /** How many changes ago the page read the chart. */
  behind: fc.nat(2),
});

describe.each(engines)('a chart that two people write at once on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let people: Caller[];

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    people = [await test.signIn(site, 'physician'), await test.signIn(site, 'physician')];
  });

  it('only grows, and never says two things about one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, step), { maxLength: 6 }), async (pairs) => {
        const patient = await test.addPatient(site);
        let before = await read(patient);
        for (const pair of pairs) {
          const responses = await Promise.all(pair.map((one) => send(patient, before, one)));
          const after = await read(patient);
          const done = responses.filter((status) => status < 300).length;
          expect(responses.every((status) => [200, 201, 409, 422].includes(status))).toBe(true);
          expect(after.version).toBeLessThanOrEqual(before.version + done);
          expectGrown(before.entries, after.entries);
          expectOneOfEach(after.entries);
          before = after;
        }
      }),
      { numRuns: 15 },
    );
  });

  async function read(patient: number): Promise<{ version: number; entries: WrittenEntry[] }> {
    const response = await people[0]?.call('GET', `/api/v2/patients/${patient}/chart`);
    const chart = response?.json<Chart>();
    return {
      version: chart?.version ?? 0,
      entries: [...(chart?.sections.codeStatus ?? []), ...(chart?.sections.allergies ?? [])],
    };
  }

  async function send(
    patient: number,
    { version, entries }: { version: number; entries: readonly WrittenEntry[] },
    one: { by: number; is: string; what: (typeof what)[number]; of: number; behind: number },
  ): Promise<number> {
    const caller = people[one.by];
    const entry = entries[one.of % Math.max(1, entries.length)];
    const shared = { authorId: caller?.userId, version: Math.max(1, version - one.behind) };
    const response =
      (one.is === 'end' || one.is === 'entered-in-error') && entry !== undefined
        ? await caller?.call('POST', `/api/v2/chart-entries/${entry.id}/${one.is}`, { ...shared, reason: randomUUID() })
        : await caller?.call('POST', `/api/v2/patients/${patient}/chart/${one.what.section}`, {
            ...shared,
            clientId: randomUUID(),
            value: one.what.value,
            source: 'The patient',
            effectiveAt: '2026-05-01T09:00:00Z',
            ...(one.is === 'correct' && entry !== undefined ? { replaces: entry.id, reason: 'It was wrong' } : {}),
          });
    return response?.statusCode ?? 0;
  }
});

/** What an entry says never changes; only its status and its mark do, and an error stays one. */
function expectGrown(before: readonly WrittenEntry[], after: readonly WrittenEntry[]): void {
  for (const { status, mark, ...said } of before) {
    const now = after.find(({ id }) => id === said.id);
    expect(now).toMatchObject(said);
    expect(status !== 'entered_in_error' || (now?.status === status && now.mark?.at === mark?.at)).toBe(true);
  }
}

function expectOneOfEach(entries: readonly WrittenEntry[]): void {
  const current = entries.filter(({ status }) => status === 'current');
  const slots = current.map((one) => `${one.section} ${slotOf(one)}`);
  expect(new Set(slots).size).toBe(slots.length);
  const allergies = current.filter(({ section }) => section === 'allergies');
  expect(allergies.some(isNone) && allergies.length > 1).toBe(false);
  const codeStatuses = entries.filter(({ section }) => section === 'codeStatus');
  const isAllErrors = codeStatuses.every(({ status }) => status === 'entered_in_error');
  expect(slots.filter((slot) => slot.startsWith('codeStatus'))).toHaveLength(isAllErrors ? 0 : 1);
}
