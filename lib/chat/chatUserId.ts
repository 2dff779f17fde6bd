/** The name by which the chat service knows a user (product spec, section 3). */
export function chatUserId(userId: number): string {
  return `u-${userId}`;
}
