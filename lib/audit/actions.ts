/** Everything that the audit records, with the words by which people read it. */
export const auditActions = {
  sign_in: 'Signed in',
  sign_out: 'Signed out',
  prove_password: 'Gave a password',
  lock_session: 'Locked the screen',
  unlock_session: 'Unlocked the screen',
  end_session: 'Ended a session',
  change_profile: 'Changed their own name',
  change_password: 'Changed their own password',
  change_picture: 'Changed their own picture',
  set_up: 'Set the installation up',
  sign_up: 'Took up an invitation',
  register: 'Asked for an account',
  request_reset: 'Asked for a password reset',
  reset_password: 'Chose a new password by a link',
  change_user: 'Changed a user',
  approve_user: 'Approved a user',
  reject_user: 'Rejected a user',
  make_reset_link: 'Made a password reset link',
  end_user_sessions: 'Ended a user’s sessions',
  invite: 'Invited somebody',
  withdraw_invitation: 'Withdrew an invitation',
  create_unit: 'Added a unit',
  rename_unit: 'Renamed a unit',
  delete_unit: 'Deleted a unit',
  assign: 'Assigned staff',
  read_assignments: 'Looked at assignments',
  break_glass: 'Opened all units for an emergency',
  end_break_glass: 'Ended an emergency access',
  see_break_glass: 'Took note of an emergency access',
  add_device: 'Added a device',
  renew_device_token: 'Renewed a device’s token',
  start_demo: 'Started the demo ward',
  create_patient: 'Added a patient',
  change_patient: 'Changed a patient',
  read_patient: 'Looked at a patient',
  read_vitals: 'Looked at a patient’s vitals',
  list_patients: 'Looked at the list of patients',
  read_sparks: 'Looked at the last hour of listed patients',
  change_site: 'Changed the site’s settings',
  accept_intended_use: 'Accepted the intended use',
  export_audit: 'Exported this record',
  refused_call: 'Was refused',
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof auditActions;

/** Takes the name of an action, which an older or newer release may have written, and returns its words. */
export function auditWords(action: string): string {
  return Object.entries(auditActions).find(([name]) => name === action)?.[1] ?? action.replaceAll('_', ' ');
}
