/** Every word in our addresses: pages, calls, and what Next adds. Any other word could be a name. */
const words = new Set(
  (
    'dashboard patients patient_details locked sign_in sign_up reset_password profile setup alerts handovers ' +
    'assignments reports wall chat check_in admin users devices units rules site sites audit errors emergency_access ' +
    '404 500 _error _next data static api v2 user getCurrentUser updateLastActive auth sign-in sign-up sign-out ' +
    'invitation register password-reset request confirm activity lock unlock break-glass end search vitals ' +
    'symptoms readings spo2-target limits standby comfort-care sparks events acknowledge accept pause-audio contact ' +
    'resolve demo monitoring docs quarantine assignment token revoke picture sessions password export people ' +
    'channels directory invitations approve reject reset-link end-sessions intended-use seen chat-token healthz ' +
    'readyz metrics alert-path left news2-exemption swap-beds take undo reassign proposals escalation ' +
    'patient_chart alert_settings chart-marks strip sound intended_use history budget notes read ' +
    'discard sign addendum amendment entered-in-error move preview own symptom-strip today ' +
    'handoffs give receive return withdraw actions done comments follow followed readers confirm-password ' +
    'chart chart-entries summary codeStatus allergies oxygen conditions medications contacts team identifiers ' +
    'check-in-links check-in open call-requests confirmations site-invitations password-link clock ' +
    'interfaces senders settings mappings codes messages device-alarms held-values release take-back held ' +
    'wrong-patient source duplicates'
  ).split(' '),
);

/**
 * Returns the pattern of an address or a path, which names no row and no person: "/api/v2/patients/:id". The host, the
 * query and the fragment are dropped, numbers become `:id`, and any word that is not part of our own addresses becomes
 * `:text`.
 */
export function routePattern(address: string): string {
  const path = address.replace(/^[a-z][a-z+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  const parts = path.split('/').filter((part) => part !== '');
  return `/${parts.map(patternOf).join('/')}`;
}

function patternOf(part: string): string {
  // A pattern stays unchanged: a report goes through here in the page and again on the server.
  if (words.has(part) || part === ':id' || part === ':text') {
    return part;
  }
  return /^\d+$/.test(part) ? ':id' : ':text';
}
