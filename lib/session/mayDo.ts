import type { UserType } from './userTypes';

/** What people may do with patients; the server's policy table and the pages read the same lines. */
export const acts = ['readPatients', 'writePatients', 'setSpo2Scale'] as const;
export type Act = (typeof acts)[number];

/** clinical.md section 9, the rows of these acts; the scope is the user's own site. */
export const actTypes = {
  readPatients: ['nurse', 'physician', 'respiratory_therapist', 'ward_lead', 'viewer'],
  writePatients: ['nurse', 'physician', 'ward_lead'],
  setSpo2Scale: ['physician'],
} as const satisfies Record<Act, readonly UserType[]>;

/** Takes a user's type and an act and says whether the type may do it; an unknown type may do nothing. */
export function mayDo(type: UserType, act: Act): boolean {
  return (actTypes[act] as readonly UserType[]).includes(type);
}
