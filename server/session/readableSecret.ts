import { randomInt } from 'node:crypto';

/** Letters and digits that are not easily confused when read from a terminal. */
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** Returns a random secret that is easy to read and type: 20 of 31 letters in four groups, 99 bits. */
export function readableSecret(): string {
  const groups = Array.from({ length: 4 }, () =>
    Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join(''),
  );
  return groups.join('-');
}
