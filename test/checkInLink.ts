import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { CheckInLink } from '../lib/checkIn/linkSchema';
import { toInstant } from '../lib/time/schema';
import type { Caller, TestServer } from './testServer';

/** The year of birth of every patient that `checkInLink` adds. */
export const yearOfBirth = 1958;

export interface TestLink {
  patientId: number;
  id: number;
  secret: string;
  /** Sends what the page of the link sends, without any cookie. */
  post(what: 'open' | 'reports' | 'call-requests', body?: object): Promise<LightMyRequestResponse>;
  /** The body of a check-in that was made just now. */
  checkIn(body?: object): Record<string, unknown>;
}

/** Sets a site's emergency number and starts its rules, without which there is no link. */
export async function allowLinks(test: TestServer, siteId: number): Promise<void> {
  await test.store.db.updateTable('sites').set({ emergency_number: '112' }).where('id', '=', siteId).execute();
  await test.startRules(siteId);
}

/** Makes a link as a user, of a new patient at home or of the one named. */
export async function checkInLink(
  test: TestServer,
  user: Caller,
  more: { patientId?: number; for?: 'patient' | 'proxy'; lastsDays?: number; unit?: string } = {},
): Promise<TestLink> {
  const { unit } = more;
  const patientId =
    more.patientId ??
    (await test.addPatient(user.siteId, {
      profile: 'home',
      dateOfBirth: `${yearOfBirth}-02-11`,
      ...(unit === undefined ? {} : { location: { unit, bed: 'A1' } }),
    }));
  const answer = await user.call('POST', `/api/v2/patients/${patientId}/check-in-links`, {
    for: more.for ?? 'patient',
    lastsDays: more.lastsDays,
  });
  if (answer.statusCode !== 201) {
    throw new Error(`No link: ${answer.body}`);
  }
  const { link, secret } = answer.json<{ link: CheckInLink; secret: string }>();
  return {
    patientId,
    id: link.id,
    secret,
    post: (what, body = {}) =>
      test.app.inject({
        method: 'POST',
        url: `/api/v2/check-in/${what}`,
        payload: { secret, yearOfBirth, ...body },
      }),
    checkIn: (body = {}) => ({
      clientId: randomUUID(),
      sentAt: toInstant(test.now()),
      reportedAt: toInstant(test.now()),
      answers: { cough: 'mild' },
      ...body,
    }),
  };
}
