import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import type { OwnSessionsResponse, PictureType } from '../../lib/profile/schema';
import { apiEngines } from '../../test/database';
import { readOutbox } from '../../test/outbox';
import { restartableTestServer } from '../../test/sharedServer';
import { type Caller, testPassword, type TestServer } from '../../test/testServer';
import { hashSecret } from '../session/sessions';
import { deviceName } from './routes';
import { remakePicture } from './picture';

describe('deviceName', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

  it.each([
    [null, 'Unknown browser'],
    ['', 'Unknown browser'],
    ['curl/8.5.0', 'Unknown browser'],
    ['<b>Firefox</b>', 'Unknown browser'],
    ['Mozilla/5.0 (X11; Linux x86_64) Something/1', 'Unknown browser on Linux'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/150.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0`,
      'Edge on Windows',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 16000.0.0) ${webkit} Chrome/150.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
    [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Chrome/150.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
        'Version/19.0 Safari/605.1.15',
      'Safari on a Mac',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
        'Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
  ])('%s is %s', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name);
  });
});

describe('picture', () => {
  const blank = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'teal' } });
  const png = async () => await blank(300, 200).png().toBuffer();
  const jpeg = async () => await blank(300, 200).jpeg({ progressive: true }).toBuffer();

  /** Returns a PNG that claims this size and holds almost no data. */
  function flood(width: number, height: number): Buffer {
    const header = Buffer.concat([Buffer.from('IHDR'), Buffer.alloc(13)]);
    header.writeUInt32BE(width, 4);
    header.writeUInt32BE(height, 8);
    header.set([8, 2, 0, 0, 0], 12);
    const chunk = (content: Buffer): Buffer => {
      const ends = Buffer.alloc(8);
      ends.writeUInt32BE(content.length - 4, 0);
      ends.writeUInt32BE(crc32(content), 4);
      return Buffer.concat([ends.subarray(0, 4), content, ends.subarray(4)]);
    };
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    return Buffer.concat([signature, chunk(header), chunk(Buffer.from('IDAT')), chunk(Buffer.from('IEND'))]);
  }

  describe('a picture', () => {
    const zip = Buffer.concat([
      Buffer.from('PK\u0003\u0004'),
      Buffer.alloc(40),
      Buffer.from('PK\u0005\u0006'),
      Buffer.alloc(18),
    ]);
    const refused: [what: string, type: PictureType, file: () => Buffer | Promise<Buffer>, status: number][] = [
      ['a GIF', 'image/png', async () => await blank(9, 9).gif().toBuffer(), 415],
      ['a WebP', 'image/jpeg', async () => await blank(9, 9).webp().toBuffer(), 415],
      [
        'an SVG',
        'image/png',
        () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
        415,
      ],
      ['a page', 'image/jpeg', () => Buffer.from('<!doctype html><script>1</script>'), 415],
      ['an archive', 'image/png', () => zip, 415],
      ['a PNG that says it is a JPEG', 'image/jpeg', png, 415],
      ['a JPEG that says it is a PNG', 'image/png', jpeg, 415],
      ['a PNG with an archive behind it', 'image/png', async () => Buffer.concat([await png(), zip]), 422],
      ['a JPEG with an archive behind it', 'image/jpeg', async () => Buffer.concat([await jpeg(), zip]), 422],
      [
        'a JPEG with a script behind it',
        'image/jpeg',
        async () => Buffer.concat([await jpeg(), Buffer.from('<script>1</script>')]),
        422,
      ],
      ['half a PNG', 'image/png', async () => (await png()).subarray(0, 200), 422],
      ['half a JPEG', 'image/jpeg', async () => (await jpeg()).subarray(0, 400), 422],
      ['the first bytes of a PNG', 'image/png', async () => (await png()).subarray(0, 8), 422],
      ['the first bytes of a JPEG', 'image/jpeg', async () => (await jpeg()).subarray(0, 3), 422],
      ['a PNG with a bit turned', 'image/png', async () => turned(await png(), 20), 422],
      ['a PNG of a billion pixels', 'image/png', () => flood(65_535, 65_535), 422],
      ['a PNG of one pixel more than allowed', 'image/png', () => flood(40_000_001, 1), 422],
    ];

    it.each(refused)('is not %s', async (_, type, file, status) => {
      await expect(remakePicture(await file(), type)).rejects.toMatchObject({ status });
    });

    it('is never taken to be one by any cut of one', async () => {
      for (const [type, whole] of [['image/png', await png()] as const, ['image/jpeg', await jpeg()] as const]) {
        for (let length = 0; length < whole.length; length += 7) {
          await expect(remakePicture(whole.subarray(0, length), type)).rejects.toMatchObject({
            status: expect.any(Number) as number,
          });
        }
      }
    });

    it.each(['image/png', 'image/jpeg'] as const)(
      'sent as %s becomes a square PNG without what was written into it',
      async (type) => {
        const marked = blank(300, 200).withExif({
          IFD0: { Artist: 'hidden-words' },
          IFD3: { GPSLatitude: '51/1 30/1 0/1' },
        });
        const file = await (type === 'image/png' ? marked.png() : marked.jpeg()).toBuffer();
        expect(file.includes('hidden-words')).toBe(true);
        const made = await remakePicture(file, type);
        const { format, width, height, exif, icc } = await sharp(made).metadata();
        expect({ format, width, height, exif, icc }).toEqual({
          format: 'png',
          width: 256,
          height: 256,
          exif: undefined,
          icc: undefined,
        });
        expect(made.includes('hidden-words')).toBe(false);
      },
    );

    it('is upright however the camera was held', async () => {
      const left = await blank(40, 80).png().toBuffer();
      const file = await sharp({ create: { width: 80, height: 80, channels: 3, background: 'white' } })
        .composite([{ input: left, left: 0, top: 0 }])
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer();
      // After a quarter turn to the right, the left side is at the top.
      const { data } = await sharp(await remakePicture(file, 'image/jpeg'))
        .raw()
        .toBuffer({ resolveWithObject: true });
      const redAt = (x: number, y: number): number => data[(y * 256 + x) * 3] ?? -1;
      expect([redAt(230, 20) < 60, redAt(20, 230) > 200]).toEqual([true, true]);
    });
  });

  function turned(file: Buffer, at: number): Buffer {
    const copy = Buffer.from(file);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  }
});

describe.each(apiEngines)('the profile on %s', (engine) => {
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

  let test: TestServer;
  let site: number;
  let nurse: Caller;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
  });
  beforeEach(async () => {
    nurse = await test.signIn(site, 'nurse');
  });

  const me = async (cookies: Record<string, string>) =>
    await test.app.inject({ url: '/api/user/getCurrentUser', cookies });
  const emailOf = async (id: number): Promise<string> =>
    (await test.store.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email;
  /** Signs the same user in with another browser. */
  async function signInAgain(caller: Caller, password = testPassword) {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-in',
      headers: { 'user-agent': firefox },
      payload: { email: await emailOf(caller.userId), password },
    });
    return {
      status: answer.statusCode,
      cookies: Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value])),
    };
  }
  const audited = async () =>
    await test.store.db.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();

  describe('names', () => {
    it.each([
      [{ fname: '', lname: 'Moreau' }, ['fname']],
      [{}, ['body']],
      [{ fname: undefined }, ['body']],
      [{ fname: 'Ines', lname: '' }, ['lname']],
      [{ fname: null, lname: 'Moreau' }, ['fname']],
      [{ fname: 'Ines\u0000', lname: 'x'.repeat(101) }, ['fname', 'lname']],
      [{ fname: 'Ines', lname: 'Moreau', isAdmin: true }, ['isAdmin']],
      [{ fname: 'Ines', lname: 'Moreau', type: 'physician' }, ['type']],
      [{ fname: 'Ines', lname: 'Moreau', siteId: 2 }, ['siteId']],
    ])('refuse %j', async (body, fields) => {
      const before = (await me(nurse.cookies)).body;
      const answer = await nurse.call('PATCH', '/api/v2/profile', body);
      expect([answer.statusCode, Object.keys(answer.json<{ error: { fields: object } }>().error.fields)]).toEqual([
        422,
        fields,
      ]);
      expect((await me(nurse.cookies)).body).toBe(before);
    });

    it.each([
      [{}, 'body: holds neither fname nor lname'],
      [{ fname: 7 }, 'fname: is not a text'],
      [{ lname: null }, 'lname: is not a text'],
      [{ lname: ' ' }, 'lname: is empty'],
      [{ lname: 'x'.repeat(101) }, 'lname: is longer than 100 characters'],
      [{ lname: 'x'.repeat(1_000) }, 'lname: is longer than 400 characters'],
    ])('say of %# in plain words what is wrong', async (body, message) => {
      const answer = await nurse.call('PATCH', '/api/v2/profile', body);
      expect([answer.statusCode, answer.json<{ error: { message: string } }>().error.message]).toEqual([422, message]);
    });

    it('change one at a time', async () => {
      const before = (await me(nurse.cookies)).json<{ fname: string; lname: string }>();
      const first = await nurse.call('PATCH', '/api/v2/profile', { fname: 'Ada' });
      expect([first.statusCode, first.json()]).toEqual([200, { ...before, fname: 'Ada' }]);
      const last = await nurse.call('PATCH', '/api/v2/profile', { lname: 'Bell' });
      expect([last.statusCode, last.json()]).toEqual([200, { ...before, fname: 'Ada', lname: 'Bell' }]);
    });

    it('change at once in every session of the user', async () => {
      const { cookies } = await signInAgain(nurse);
      const answer = await nurse.call('PATCH', '/api/v2/profile', { fname: ' Ines ', lname: 'Moreau' });
      expect([answer.statusCode, answer.json()]).toEqual([200, (await me(cookies)).json()]);
      expect(answer.json()).toMatchObject({ fname: 'Ines', lname: 'Moreau' });
      await expect(audited()).resolves.toMatchObject({
        action: 'change_profile',
        object_id: nurse.userId,
        details: null,
      });
    });
  });

  describe('the password', () => {
    const next = 'a long walk by the river';
    const change = async (body: object) => await nurse.call('PUT', '/api/v2/profile/password', body);

    it.each([
      [{ current: testPassword, password: 'fourteen chars' }, 422],
      [{ current: testPassword }, 422],
      [{ password: next }, 422],
      [{ current: 'not this one either', password: next }, 401],
    ])('is not changed by %j', async (body, status) => {
      const other = await signInAgain(nurse);
      expect((await change(body)).statusCode).toBe(status);
      expect((await me(nurse.cookies)).statusCode).toBe(200);
      expect((await me(other.cookies)).statusCode).toBe(200);
      expect((await signInAgain(nurse, next)).status).toBe(401);
    });

    it.each(['Test-Ward-2026-!', ' '.repeat(20)])('is not changed to %j', async (password) => {
      expect((await change({ current: testPassword, password })).statusCode).toBe(422);
    });

    it('changes, and every session of the user is dead at once but this one, which is renewed', async () => {
      const colleague = await test.signIn(site, 'nurse');
      const other = await signInAgain(nurse);
      const answer = await change({ current: testPassword, password: next });
      expect([answer.statusCode, answer.body]).toEqual([204, '']);
      const renewed = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
      const statuses = await Promise.all([renewed, nurse.cookies, other.cookies, colleague.cookies].map(me));
      expect(statuses.map(({ statusCode }) => statusCode)).toEqual([200, 401, 401, 200]);
      expect([(await signInAgain(nurse)).status, (await signInAgain(nurse, next)).status]).toEqual([401, 200]);
      const rows = await test.store.db
        .selectFrom('audit')
        .select('action')
        .where('action', '=', 'change_password')
        .execute();
      expect(rows).toHaveLength(1);
      await test.restart();
      expect((await me(renewed)).statusCode).toBe(200);
      expect((await me(other.cookies)).statusCode).toBe(401);
    });

    it('changes, and no browser of the user is known any more but this one', async () => {
      await signInAgain(nurse);
      const known = () =>
        test.store.db.selectFrom('known_browsers').select('token_hash').where('user_id', '=', nurse.userId).execute();
      const before = await known();
      expect(before).toHaveLength(1);
      const answer = await change({ current: testPassword, password: next });
      const secret = answer.cookies.find(({ name }) => name === 'known')?.value ?? '';
      await expect(known()).resolves.toEqual([{ token_hash: hashSecret(secret) }]);
      expect(before).not.toEqual(await known());
    });

    it('is followed by a notice to the owner, who may not be the one who changed it', async () => {
      const email = await emailOf(nurse.userId);
      const mails = async () => (await readOutbox(test)).filter(({ to }) => to === email);
      await change({ current: 'not this one either', password: next });
      await expect(mails()).resolves.toEqual([]);
      await change({ current: testPassword, password: next });
      expect((await mails()).map(({ kind, secret }) => [kind, secret])).toEqual([['password-changed', null]]);
    });

    it('voids the reset links that are out', async () => {
      const at = test.now();
      await test.store.db
        .insertInto('account_tokens')
        .values({
          kind: 'reset',
          token_hash: `hash${nurse.userId}`,
          site_id: site,
          user_id: nurse.userId,
          email: await emailOf(nurse.userId),
          type: null,
          created_at: at,
          created_by: null,
          expires_at: at + 60_000,
          used_at: null,
          voided_at: null,
        })
        .execute();
      await change({ current: testPassword, password: next });
      await expect(
        test.store.db
          .selectFrom('account_tokens')
          .select('voided_at')
          .where('user_id', '=', nurse.userId)
          .executeTakeFirst(),
      ).resolves.toEqual({ voided_at: at });
    });
  });

  describe('the sessions', () => {
    const list = async () => (await nurse.call('GET', '/api/v2/profile/sessions')).json<OwnSessionsResponse>();

    it('are listed with device and last use, without anything that opens one', async () => {
      test.advance(60_000);
      await test.signIn(site, 'nurse');
      const other = await signInAgain(nurse);
      const { items, total } = await list();
      expect(total).toBe(2);
      expect(items.map(({ device, isCurrent, ip }) => [device, isCurrent, ip])).toEqual([
        ['Firefox on Windows', false, '127.0.0.1'],
        ['Unknown browser', true, '127.0.0.1'],
      ]);
      expect(Date.parse(items[0]?.lastUsedAt ?? '')).toBe(test.now());
      for (const secret of [...Object.values(other.cookies), ...Object.values(nurse.cookies)]) {
        expect(JSON.stringify(items)).not.toContain(secret);
      }
    });

    it('are ended one by one, only by their own user', async () => {
      const colleague = await test.signIn(site, 'nurse');
      const other = await signInAgain(nurse);
      const sid = (await list()).items.find(({ isCurrent }) => !isCurrent)?.sid ?? '';
      expect((await colleague.call('DELETE', `/api/v2/profile/sessions/${sid}`)).statusCode).toBe(404);
      expect((await nurse.call('DELETE', `/api/v2/profile/sessions/${other.cookies.token ?? ''}`)).statusCode).toBe(
        400,
      );
      expect((await me(other.cookies)).statusCode).toBe(200);
      expect((await nurse.call('DELETE', `/api/v2/profile/sessions/${sid}`)).statusCode).toBe(204);
      await expect(audited()).resolves.toMatchObject({ action: 'end_session', object_id: nurse.userId });
      expect((await me(other.cookies)).statusCode).toBe(401);
      expect((await me(nurse.cookies)).statusCode).toBe(200);
      expect((await nurse.call('DELETE', `/api/v2/profile/sessions/${sid}`)).statusCode).toBe(404);
    });

    it('are ended all but the one that asks', async () => {
      const others = [await signInAgain(nurse), await signInAgain(nurse)];
      expect((await nurse.call('DELETE', '/api/v2/profile/sessions')).statusCode).toBe(204);
      const statuses = await Promise.all([...others.map(({ cookies }) => cookies), nurse.cookies].map(me));
      expect(statuses.map(({ statusCode }) => statusCode)).toEqual([401, 401, 200]);
    });
  });

  describe('the picture', () => {
    const put = async (payload: Buffer, type: string) =>
      await test.app.inject({
        method: 'PUT',
        url: '/api/v2/profile/picture',
        cookies: nurse.cookies,
        headers: { 'x-xsrf-token': nurse.cookies['XSRF-TOKEN'] ?? '', 'content-type': type },
        payload,
      });
    const photo = async () =>
      await sharp({ create: { width: 600, height: 400, channels: 3, background: 'teal' } })
        .jpeg()
        .toBuffer();

    it.each([
      ['a body of another type', 'application/json', Buffer.from('{}'), 415],
      ['a GIF', 'image/gif', Buffer.from('GIF89a'), 415],
      ['an SVG', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415],
      ['an SVG that says it is a PNG', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415],
      ['nothing', 'image/png', Buffer.alloc(0), 415],
      ['more than 2 MiB', 'image/png', Buffer.alloc(2_097_153), 413],
    ])('is not taken from %s', async (_, type, payload, status) => {
      expect((await put(payload, type)).statusCode).toBe(status);
      expect((await me(nurse.cookies)).json()).toMatchObject({ userImage: null });
    });

    it('is shown to colleagues only, as a PNG that can run nothing', async () => {
      const answer = await put(await photo(), 'image/jpeg');
      const { userImage } = answer.json<{ userImage: string }>();
      expect([answer.statusCode, userImage]).toEqual([200, `/api/v2/users/${nurse.userId}/picture?v=${test.now()}`]);
      const colleague = await test.signIn(site, 'technician');
      const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');

      const refused = await stranger.call('GET', userImage);
      const missing = await stranger.call('GET', '/api/v2/users/999999/picture');
      expect([refused.statusCode, refused.body]).toEqual([404, missing.body]);

      const shown = await colleague.call('GET', userImage);
      expect(shown.headers).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': 'attachment; filename="picture.png"',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      await expect(sharp(shown.rawPayload).metadata()).resolves.toMatchObject({
        format: 'png',
        width: 256,
        height: 256,
      });
    });

    it('goes when it is taken away', async () => {
      await put(await photo(), 'image/jpeg');
      const answer = await nurse.call('DELETE', '/api/v2/profile/picture');
      expect([answer.statusCode, answer.json<{ userImage: unknown }>().userImage]).toEqual([200, null]);
      expect((await nurse.call('GET', `/api/v2/users/${nurse.userId}/picture`)).statusCode).toBe(404);
    });
  });
});
