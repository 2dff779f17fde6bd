import type { ChatDirectory } from '../../lib/chat/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

/**
 * The calls made to the chat service, and the channels that it knows. No call leaves this process: the package is
 * replaced.
 */
const service = {
  isDown: false,
  secrets: [] as unknown[],
  revoked: [] as { user: string; before: string }[],
  users: new Map<string, object>(),
  channels: new Map<string, { name: string; members: Set<string> }>(),
};
const channelKey = (type: string, id: string): string => `${type}:${id}`;

function answer<Answer>(value: Answer): Promise<Answer> {
  return service.isDown
    ? Promise.reject(Object.assign(new Error('Ada Example is not known'), { code: 'ECONNREFUSED', status: 503 }))
    : Promise.resolve(value);
}

jest.mock('stream-chat', () => {
  const channelOf = (type: string, id: string, data: { name?: string } = {}) => {
    const key = channelKey(type, id);
    const known = () => service.channels.get(key);
    return {
      id,
      data: {
        get name() {
          return known()?.name;
        },
      },
      create: () =>
        answer(service.channels.get(key) ?? service.channels.set(key, { name: data.name ?? '', members: new Set() })),
      updatePartial: ({ set }: { set: { name?: string } }) => {
        const channel = known();
        if (channel !== undefined && !service.isDown) {
          channel.name = set.name ?? channel.name;
        }
        return answer({});
      },
      addMembers: (ids: string[]) => answer(ids.forEach((user) => known()?.members.add(user))),
      removeMembers: (ids: string[]) => answer(ids.forEach((user) => known()?.members.delete(user))),
    };
  };
  class StreamChat {
    constructor(key: string, secret: string) {
      service.secrets.push([key, secret]);
    }
    createToken = (user: string, expiresAt: number, issuedAt: number): string =>
      JSON.stringify({ user, expiresAt, issuedAt });
    revokeUserToken = (user: string, before: Date) =>
      answer(service.revoked.push({ user, before: before.toISOString() }));
    queryUsers = ({ id }: { id: { $in: string[] } }) =>
      answer({ users: id.$in.filter((user) => service.users.has(user)).map((user) => ({ id: user })) });
    upsertUsers = (users: { id: string }[]) => answer(users.forEach((user) => service.users.set(user.id, user)));
    channel = channelOf;
    queryChannels = ({ type, members, id }: { type: string; members?: { $in: string[] }; id?: { $in: string[] } }) =>
      answer(
        [...service.channels]
          .map(([key, channel]) => ({ id: key.slice(type.length + 1), ...channel }))
          .filter((one) => id?.$in.includes(one.id) ?? members?.$in.some((user) => one.members.has(user)))
          .map((one) => channelOf(type, one.id)),
      );
  }
  return { StreamChat };
});

const keys = { STREAM_API_KEY: 'abc123', STREAM_API_SECRET: 'a secret of the chat service' };
const tokenUrl = '/api/v2/chat/chat-token';
const channelsUrl = '/api/v2/chat/channels';

/** Waits until background work has made a condition true. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
const membersOf = (id: string): string[] =>
  [...(service.channels.get(channelKey('messaging', id))?.members ?? [])].sort();
const nameOf = (id: string): string | undefined => service.channels.get(channelKey('messaging', id))?.name;

beforeEach(() => {
  service.isDown = false;
  service.revoked.length = 0;
  service.users.clear();
  service.channels.clear();
});

describe('chat without a key', () => {
  it('is refused in plain words, and the service’s package is never loaded', async () => {
    const test = await sharedTestServer('sqlite');
    const nurse = await test.signIn(await test.addSite(), 'nurse');
    service.secrets.length = 0;
    for (const refused of [
      await nurse.call('POST', tokenUrl, { id: `u-${nurse.userId}` }),
      await nurse.call('GET', '/api/v2/chat/directory'),
      await nurse.call('POST', channelsUrl, { kind: 'site' }),
    ]) {
      expect([refused.statusCode, refused.json()]).toEqual([
        404,
        {
          error: expect.objectContaining({
            code: 'chat_off',
            message: 'Chat is not set up on this installation.',
          }) as unknown,
        },
      ]);
    }
    expect(service.secrets).toEqual([]);
  });
});

describe.each(apiEngines)('chat on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let other: number;
  let nurse: Caller;
  let physician: Caller;
  let admin: Caller;
  beforeAll(async () => {
    test = await sharedTestServer(engine, keys);
    other = await test.addSite('Other ward');
    site = await test.addSite('Harbour ward');
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
    admin = await test.signIn(site, 'administrator', true);
  });

  const tokenOf = async (caller: Caller) => await caller.call('POST', tokenUrl, { id: `u-${caller.userId}` });

  describe('a token', () => {
    it.each(['u-1', 'u-0', 'u-', '', 'u-999999', 'U-1'])('is refused for another user: %j', async (id) => {
      const refused = await nurse.call('POST', tokenUrl, { id: id === `u-${nurse.userId}` ? 'u-7000' : id });
      expect(refused.statusCode).toBe(403);
    });

    it('is refused for a number instead of the name that the product gives users there', async () => {
      expect((await nurse.call('POST', tokenUrl, { id: nurse.userId })).statusCode).toBe(422);
    });

    it('is refused to a wall display, which is no person', async () => {
      expect((await tokenOf(await test.signIn(site, 'display'))).statusCode).toBe(403);
    });

    it('is the caller’s own, has the time of its creation, and is valid for an hour', async () => {
      const made = await tokenOf(nurse);
      expect(made.statusCode).toBe(200);
      expect(JSON.parse(made.json<{ token: string }>().token)).toEqual({
        user: `u-${nurse.userId}`,
        issuedAt: test.now() / 1_000,
        expiresAt: test.now() / 1_000 + 3_600,
      });
      expect(made.body).not.toContain(keys.STREAM_API_SECRET);
    });

    it('ends with the session if that ends sooner', async () => {
      const late = await test.signIn(site, 'nurse');
      for (let hours = 0; hours < 11.5; hours += 0.125) {
        test.advance(450_000);
        await late.call('POST', '/api/v2/auth/activity');
      }
      const { expiresAt } = JSON.parse((await tokenOf(late)).json<{ token: string }>().token) as { expiresAt: number };
      expect(expiresAt).toBe(test.now() / 1_000 + 1_800);
      [nurse, physician, admin] = [
        await test.signIn(site, 'nurse'),
        await test.signIn(site, 'physician'),
        await test.signIn(site, 'administrator', true),
      ];
    });

    it('is made while the service is down, and its failure names no one in the log', async () => {
      service.isDown = true;
      const before = test.logLines.length;
      expect((await tokenOf(nurse)).statusCode).toBe(200);
      const said = 'a user could not be put into their chat channels; it is tried again with the next token';
      await until(() => test.logLines.some(({ msg }) => msg === said));
      const lines = test.logLines.slice(before).filter(({ msg }) => msg === said);
      expect(lines).toEqual([expect.objectContaining({ code: 'ECONNREFUSED', status: 503 })]);
      expect(JSON.stringify(test.logLines)).not.toContain('Ada');
    });

    it('is refused while the screen is locked', async () => {
      const caller = await test.signIn(site, 'nurse');
      await caller.call('POST', '/api/v2/auth/lock');
      expect((await tokenOf(caller)).statusCode).toBe(423);
    });
  });

  describe('the end of all sessions of a user', () => {
    const revokedOf = (user: number) =>
      service.revoked.filter((one) => one.user === `u-${user}`).map(({ before }) => before);

    it.each([
      ['disabled', { isDisabled: true }],
      ['given another type', { type: 'viewer' }],
    ])('because the account is %s revokes their tokens', async (_, patch) => {
      const { userId } = await test.signIn(site, 'nurse');
      expect((await admin.call('PATCH', `/api/v2/admin/users/${userId}`, { version: 1, ...patch })).statusCode).toBe(
        200,
      );
      await until(() => revokedOf(userId).length > 0);
      expect(revokedOf(userId)).toEqual([new Date(test.now()).toISOString()]);
    });

    it('because an administrator signs them out revokes their tokens', async () => {
      const { userId } = await test.signIn(site, 'nurse');
      expect((await admin.call('POST', `/api/v2/admin/users/${userId}/end-sessions`)).statusCode).toBe(204);
      await until(() => revokedOf(userId).length > 0);
    });

    it('is not held up by a service that is down', async () => {
      service.isDown = true;
      const { userId } = await test.signIn(site, 'nurse');
      expect((await admin.call('POST', `/api/v2/admin/users/${userId}/end-sessions`)).statusCode).toBe(204);
    });
  });

  describe('the channels of a user', () => {
    it('are those of the site, the user’s units and patients, named outside only as the site allows', async () => {
      const caller = await test.signIn(site, 'nurse');
      const unit = await test.addUnit(site, 'East', [caller.userId]);
      await test.server.sessions.reload([caller.userId]);
      const patientId = await test.addPatient(site, {
        givenName: 'Sam',
        familyName: 'Sample',
        location: { unit: 'East', bed: '4' },
      });
      const assigned = { unitId: unit, shift: 'current', role: 'nurse', patientId, userId: caller.userId, version: 0 };
      expect((await physician.call('PUT', '/api/v2/assignments', assigned)).statusCode).toBe(200);
      await tokenOf(caller);
      const me = `u-${caller.userId}`;
      await until(() => membersOf(`patient-${patientId}`).length > 0);
      expect([membersOf(`site-${site}`), membersOf(`unit-${unit}`), membersOf(`patient-${patientId}`)]).toEqual([
        [me],
        [me],
        [me],
      ]);
      expect([nameOf(`site-${site}`), nameOf(`unit-${unit}`), nameOf(`patient-${patientId}`)]).toEqual([
        'Harbour ward',
        'East',
        `Care team ${patientId}`,
      ]);

      // A site that allows more, or less again, renames what there is.
      const setLabel = async (chatPatientLabel: string) => {
        const { version } = (await admin.call('GET', '/api/v2/admin/site')).json<{ version: number }>();
        expect((await admin.call('PATCH', '/api/v2/admin/site', { version, chatPatientLabel })).statusCode).toBe(200);
      };
      await setLabel('initials_and_bed');
      await until(() => nameOf(`patient-${patientId}`) === 'Care team: S.S., East, bed 4');
      await setLabel('number');
      await until(() => nameOf(`patient-${patientId}`) === `Care team ${patientId}`);

      // After a move to another unit they leave the channels that are no longer theirs at once.
      const west = await test.addUnit(site, 'West');
      expect(
        (await admin.call('PATCH', `/api/v2/admin/users/${caller.userId}`, { version: 1, unitIds: [west] })).statusCode,
      ).toBe(200);
      await until(() => membersOf(`patient-${patientId}`).length === 0);
      expect([membersOf(`unit-${unit}`), membersOf(`unit-${west}`), membersOf(`site-${site}`)]).toEqual([
        [],
        [me],
        [me],
      ]);
    });
  });

  describe('opening a channel', () => {
    const open = async (caller: Caller, body: object) => await caller.call('POST', channelsUrl, body);

    it('with a colleague is the same for both, no matter who begins', async () => {
      const opened = await open(nurse, { kind: 'direct', userId: physician.userId });
      const id = `direct-${nurse.userId}-${physician.userId}`;
      expect([opened.statusCode, opened.json()]).toEqual([200, { id }]);
      expect(membersOf(id)).toEqual([`u-${nurse.userId}`, `u-${physician.userId}`]);
      expect((await open(physician, { kind: 'direct', userId: nurse.userId })).json()).toEqual({ id });
      expect(service.users.get(`u-${physician.userId}`)).toMatchObject({
        id: `u-${physician.userId}`,
        siteId: site,
        name: expect.any(String) as unknown,
      });
      const row = await test.store.db
        .selectFrom('audit')
        .selectAll()
        .where('action', '=', 'open_chat_channel')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({ actor_id: physician.userId, object_type: 'user', object_id: nurse.userId });
    });

    it.each(['an unknown user', 'oneself', 'a user of another site', 'a wall display', 'a disabled user'])(
      'with %s is refused with 404',
      async (who) => {
        const disabled = (await test.addUser(site, 'nurse')).id;
        await test.store.db.updateTable('users').set({ disabled_at: test.now() }).where('id', '=', disabled).execute();
        const ids: Record<string, number> = {
          'an unknown user': 999_999,
          oneself: nurse.userId,
          'a user of another site': (await test.addUser(other, 'nurse')).id,
          'a wall display': (await test.addUser(site, 'display')).id,
          'a disabled user': disabled,
        };
        expect((await open(nurse, { kind: 'direct', userId: ids[who] })).statusCode).toBe(404);
        expect(service.channels.size).toBe(0);
      },
    );

    it('of a care team adds those who look after the patient now', async () => {
      const caller = await test.signIn(site, 'nurse');
      const unit = await test.addUnit(site, 'North');
      const patientId = await test.addPatient(site, { location: { unit: 'North', bed: '1' } });
      const assign = async (role: string, about: number | null, userId: number) =>
        (
          await physician.call('PUT', '/api/v2/assignments', {
            unitId: unit,
            shift: 'current',
            role,
            patientId: about,
            userId,
            version: 0,
          })
        ).statusCode;
      expect([
        await assign('nurse', patientId, caller.userId),
        await assign('on_call_physician', null, physician.userId),
      ]).toEqual([200, 200]);
      const lead = await test.signIn(site, 'ward_lead');
      expect((await open(lead, { kind: 'careTeam', patientId })).json()).toEqual({ id: `patient-${patientId}` });
      expect(membersOf(`patient-${patientId}`)).toEqual(
        [caller, physician, lead].map(({ userId }) => `u-${userId}`).sort(),
      );
    });

    it.each(['another site', 'another unit', 'no site'])(
      'of a care team of %s is refused with 404, and to who reads no patient',
      async (whose) => {
        const caller = await test.signIn(site, 'nurse');
        await test.addUnit(site, 'South', [caller.userId]);
        await test.server.sessions.reload([caller.userId]);
        const ids: Record<string, number> = {
          'another site': await test.addPatient(other),
          'another unit': await test.addPatient(site, { location: { unit: 'Elsewhere', bed: '1' } }),
          'no site': 999_999,
        };
        expect((await open(caller, { kind: 'careTeam', patientId: ids[whose] })).statusCode).toBe(404);
        expect((await open(admin, { kind: 'careTeam', patientId: await test.addPatient(site) })).statusCode).toBe(404);
        expect(service.channels.size).toBe(0);
      },
    );

    it('of a unit is for its own people, and refused with 404 for one of another site', async () => {
      const unit = await test.addUnit(site, 'East');
      expect((await open(physician, { kind: 'unit', unitId: unit })).json()).toEqual({ id: `unit-${unit}` });
      expect((await open(admin, { kind: 'unit', unitId: unit })).statusCode).toBe(404);
      expect((await open(physician, { kind: 'unit', unitId: await test.addUnit(other) })).statusCode).toBe(404);
    });

    it('is refused with 503 while the service is down, and nothing is on record', async () => {
      service.isDown = true;
      const rows = async () =>
        (
          await test.store.db
            .selectFrom('audit')
            .select('id')
            .where('site_id', '=', site)
            .where('action', '=', 'open_chat_channel')
            .execute()
        ).length;
      const before = await rows();
      const refused = await open(nurse, { kind: 'site' });
      expect([
        refused.statusCode,
        refused.headers['retry-after'],
        refused.json<{ error: { code: string } }>().error.code,
      ]).toEqual([503, '10', 'chat_unreachable']);
      await expect(rows()).resolves.toBe(before);
    });
  });

  describe('the directory', () => {
    const directory = async (caller: Caller, query = '') =>
      (await caller.call('GET', `/api/v2/chat/directory${query}`)).json<ChatDirectory>();

    it('has the other users of the site who can chat', async () => {
      const { colleagues } = await directory(nurse);
      const ids = colleagues.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining([physician.userId, admin.userId]));
      expect(ids).not.toContain(nurse.userId);
      const strangers = await test.store.db
        .selectFrom('users')
        .select('id')
        .where((is) =>
          is.or([is('site_id', '=', other), is('type', '=', 'display'), is('disabled_at', 'is not', null)]),
        )
        .execute();
      expect(ids.filter((id) => strangers.some((one) => one.id === id))).toEqual([]);
    });

    it('names requested patients to users who may read them, and records it', async () => {
      const patientId = await test.addPatient(site, {
        givenName: 'Sam',
        familyName: 'Sample',
        location: { unit: 'East', bed: '9' },
      });
      const foreign = await test.addPatient(other);
      const { channels } = await directory(physician, `?patients=${patientId},${foreign}`);
      expect(channels.filter(({ kind }) => kind === 'careTeam')).toEqual([
        { id: `patient-${patientId}`, kind: 'careTeam', title: 'Sam Sample, bed 9' },
      ]);
      const row = await test.store.db
        .selectFrom('audit')
        .selectAll()
        .where('action', '=', 'read_chat_teams')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({ actor_id: physician.userId, details: '{"count":1}' });
      expect((await directory(admin, `?patients=${patientId}`)).channels.map(({ kind }) => kind)).toEqual(['site']);
    });

    it.each(['?patients=', '?patients=x', '?patients=1,,2', '?patients=0'])('refuses %s', async (query) => {
      expect((await nurse.call('GET', `/api/v2/chat/directory${query}`)).statusCode).toBe(400);
    });
  });
});
