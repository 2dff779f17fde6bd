import { z } from 'zod';

/** The attachment that is an alert: its number and nothing about a patient, because it leaves the hospital. */
const alertAttachment = z.object({ type: z.literal('wardlight_alert'), alertId: z.int().positive() });

/** Returns the words of a message that carries an alert, for devices that do not draw its card. */
export function alertText(alertId: number): string {
  return `Alert ${alertId} (open Wardlight to see it)`;
}

/** Returns the message that takes an alert into the chat. The same `id` again is the same message. */
export function alertMessage(
  id: string,
  alertId: number,
): { id: string; text: string; attachments: [z.infer<typeof alertAttachment>] } {
  return { id, text: alertText(alertId), attachments: [{ type: 'wardlight_alert', alertId }] };
}

/** Returns which alert an attachment is; null: none. Anyone in a channel can write what they like into it. */
export function alertIdOf(attachment: unknown): number | null {
  return alertAttachment.safeParse(attachment).data?.alertId ?? null;
}
