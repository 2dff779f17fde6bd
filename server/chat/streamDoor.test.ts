import { createHmac } from 'node:crypto';
import { openStreamDoor } from './streamDoor';

const secret = 'a secret of the chat service';

describe('a token of the chat service', () => {
  it('is made without a call, signed with the secret, and holds its user, start and expiry', async () => {
    const door = await openStreamDoor({ key: 'abc123', secret });
    const [head = '', body = '', signature] = door.createToken(7, 1_777_629_600, 1_777_633_200).split('.');
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toEqual({
      user_id: 'u-7',
      iat: 1_777_629_600,
      exp: 1_777_633_200,
    });
    expect(signature).toBe(createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url'));
  });
});
