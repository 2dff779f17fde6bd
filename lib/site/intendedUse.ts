/**
 * Goes up with every change of the statement below that people have to read again. Administrators who accepted an older
 * one are asked again.
 */
export const intendedUseVersion = 1;

/**
 * What Wardlight is for and what it is not, in the order of clinical.md section 10. Every user sees it at sign-in. On a
 * site that is not the demo, the alert rules start only after an administrator has read and accepted it. The README
 * says the same.
 */
export const intendedUse = [
  'It is not a medical device: it is not cleared, CE-marked or UKCA-marked. Use it for evaluation, training or ' +
    'research with simulated data, unless its operator has obtained approval for more.',
  'It is an information display, not a primary alarm and not a distributed alarm system. What it shows or ' +
    'raises may be late, missing or wrong. Keep the certified bedside monitor’s own alarms on and audible, and ' +
    'stay with the patient as required.',
  'It is not an emergency service. Patients with alarming symptoms call the emergency number.',
  'Its scores and limits are defaults for adults and have not been validated. Clinical judgement prevails. The ' +
    'site owns its limits and its escalation.',
  'A NEWS2 from some of its seven parameters is incomplete: it can show that a patient is unwell, never that ' +
    'one is well.',
  'Pulse oximetry is limited by weak perfusion, motion, nail polish, skin pigmentation and carbon monoxide; ' +
    'readings may overestimate.',
  'All times are the site’s time. If the screen says “NOT LIVE”, nothing on it is known to be true now.',
  'It takes time: a monitor averages before it sends, a rule waits for its delay (from none to 30 minutes) ' +
    'before it raises an alert, and a page asks every 5 seconds unless the server notifies it sooner. The lamp at ' +
    'the top of a page shows the measured time from server to screen.',
] as const;
