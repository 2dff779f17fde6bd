/** The name by which the chat service knows a user (product spec, section 3). */
export function chatUserId(userId: number): string {
  return `u-${userId}`;
}

/** Returns the user whom the chat service knows by a name; null if it is none of our users. */
export function userIdOf(name: string): number | null {
  return /^u-[1-9]\d{0,14}$/.test(name) ? Number(name.slice(2)) : null;
}
