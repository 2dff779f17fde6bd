import { randomInt } from 'node:crypto';

/** Letters and digits that nobody mixes up when reading from a terminal. */
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** A secret that somebody reads from a screen and types: 20 of 31 letters in four groups, 99 bits. */
export function readableSecret(): string {
  const groups = Array.from({ length: 4 }, () =>
    Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join(''),
  );
  return groups.join('-');
}
