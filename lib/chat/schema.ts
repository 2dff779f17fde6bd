import { z } from 'zod';
import { userTypes } from '../session/userTypes';

/** Asks for a token of the chat service; `id` is the caller's own id there. */
export const chatTokenBody = z.strictObject({ id: z.string().max(40) });
export const chatTokenResponse = z.object({ token: z.string() });

/** Patients whose care teams’ names the page wants to show, in addition to the caller's own. */
const askedPatients = z
  .string()
  .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14}){0,99}$/, 'is not a list of at most 100 patients')
  .transform((text) => text.split(',').map(Number));
export const chatDirectoryQuery = z.strictObject({ patients: askedPatients.optional() });

/** A person the user can write to. `title` is for the user's own screen: the chat service never sees it. */
export const chatDirectory = z.object({
  channels: z.array(z.object({ id: z.string(), kind: z.enum(['site', 'unit', 'careTeam']), title: z.string() })),
  colleagues: z.array(z.object({ id: z.int(), name: z.string(), type: z.enum(userTypes) })),
});
export type ChatDirectory = z.infer<typeof chatDirectory>;

/** Opens a channel. The server creates it if it does not exist: only we tell the chat service who belongs to it. */
export const openChannelBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('site') }),
  z.strictObject({ kind: z.literal('unit'), unitId: z.int().positive() }),
  z.strictObject({ kind: z.literal('careTeam'), patientId: z.int().positive() }),
  z.strictObject({ kind: z.literal('direct'), userId: z.int().positive() }),
]);
export type OpenChannelBody = z.infer<typeof openChannelBody>;
export const openedChannel = z.object({ id: z.string() });
