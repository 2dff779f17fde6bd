import type { NotedMessage } from './messageNote';

/**
 * Returns the client id of the draft that is made from a message about a patient, a UUID of version 8 (RFC 9562). Every
 * tab makes the same one, also after a reload, so the server makes one draft however often it is asked. A message that
 * was edited since is another text, and another draft. Mixed by multiplication as in murmur hashes, because browsers
 * have no digest on pages without TLS; nothing is kept secret by it.
 */
export function messageNoteId({ id, editedAt }: Pick<NotedMessage, 'id' | 'editedAt'>, patientId: number): string {
  const text = JSON.stringify([id, editedAt, patientId]);
  const hex = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f]
    .map((seed) => mixed(text, seed).toString(16).padStart(8, '0'))
    .join('');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20)].join(
    '-',
  );
}

/** Returns a number of 32 bits that depends on every character of a text. */
function mixed(text: string, seed: number): number {
  let hash = seed;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995);
  return (hash ^ (hash >>> 16)) >>> 0;
}
