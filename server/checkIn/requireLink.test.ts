import { allowLinks, checkInLink, yearOfBirth } from '../../test/checkInLink';
import { startTestServer, type TestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import { createBudget } from '../http/budget';
import { errorBodyOf, toHttpError } from '../http/errors';
import { requireLink } from './requireLink';

describe('a hundred thousand guesses', () => {
  let test: TestServer;
  beforeAll(async () => {
    test = await startTestServer('sqlite');
  });
  afterAll(() => test.stop());

  it('are throttled and teach nothing, and do not keep out the one who has the link', async () => {
    const site = await test.addSite();
    await allowLinks(test, site);
    const { secret, patientId } = await checkInLink(test, await test.signIn(site, 'nurse'));
    const doors = { mayMiss: createBudget(20, test.now), onLocked: () => Promise.resolve() };
    const open = (given: string, year: number, ip: string) =>
      requireLink(test.server, { ...system, actor: 'anonymous', ip }, { secret: given, yearOfBirth: year }, doors);
    const answers = new Map<string, number>();
    const guess = async (number: number): Promise<void> => {
      // Each differs from the secret by its end alone.
      const end = number.toString(36).padStart(8, '-');
      try {
        await open(`${secret.slice(0, 35)}${end}`, 1930 + (number % 80), `198.51.100.${number % 10}`);
        answers.set('opened', 1);
      } catch (error) {
        const shown = toHttpError(error);
        const answer = JSON.stringify([shown.status, shown.retryAfter, errorBodyOf(shown, '')]);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    };
    for (let number = 0; number < 100_000; number += 1) {
      await guess(number);
    }
    const counts = [...answers].map(([answer, count]) => [(JSON.parse(answer) as [number])[0], count]);
    // Two answers, byte for byte, whatever is guessed.
    expect(counts).toEqual([
      [404, 200],
      [429, 99_800],
    ]);
    await expect(open(secret, yearOfBirth, '198.51.100.1')).resolves.toMatchObject({ patient: { id: patientId } });
    await expect(
      test.store.db.selectFrom('check_in_links').select(['wrong_tries', 'locked_at']).execute(),
    ).resolves.toEqual([{ wrong_tries: 0, locked_at: null }]);
  });
});
