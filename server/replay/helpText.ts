/** What `npm run replay -- --help` prints. */
export const helpText = `Plays recorded vital signs into a Wardlight server as a device would.

  npm run replay -- [options] recording...

Before it plays
  The patients must exist (page Patients), and the server must know the device:
    npm run device:add -- --site 1 --name gateway --any-patient 30    for one value a second
    npm run device:add -- --site 1 --name gateway --any-patient 30 --expected-every 60
                                                                         for one value a minute
  The expected interval decides when a value on the screen counts as old. It is a setting of the device, so play
  recordings of different intervals with different devices. At --speed 60 a value a minute comes once a second.

Where to
  --url <address>      the server (default http://127.0.0.1:3000)
  --token <token>      the device token; better in the environment: WARDLIGHT_DEVICE_TOKEN
  --mrn <mrn>          the patient's number, once for each recording, in the same order
  --mrn-from-file      each recording's patient has the file's name without its ending as number

When
  --speed <n>|max      recording time per real time (default 1)
  --start <moment>     when the first sample is sent (default now)
  --end <moment>       when the last sample is sent, instead of --start
  --from <duration>    begin this far into the recording
  --for <duration>     play this much of it, in recording time
  --loop               begin again after the end, until stopped with Ctrl-C
  A moment is now, now-6m, or an instant such as 2026-05-01T10:00:00Z; a duration is 90s, 8m, 2h or 1d.

  What lies in the past is sent at once, up to 5,000 samples a call; the rest is sent when it falls due.
    --start now          live: the first value now, the others as time goes by
    --start now-6m       six minutes of history at once, then live
    --end now            the whole recording as history, as fast as the server takes it; so does --speed max

  What takenAt means: a sample carries the moment that its place in the recording has on the real clock. At speed 1
  distances between samples are the recorded ones. At any other number time is compressed: at --speed 60 an hour of
  recording is one minute on the screen, and each value carries the compressed time, so that it looks live. Rates
  and trends then look 60 times steeper than they were. A late entry is sent when it was entered, with the time at which
  it was measured.

What
  --column <is=name>   what a column of any other table is, if its name does not say so: time="Start",
                       spo2="Oxygen level", pulseRate="Value"; also respiratoryRate and the other vital signs
  --pressure <source>  cuff or invasive (default: the one that measured more often)
  --check              read the recordings, print what would be played and as what, and send nothing
  Of a record of WFDB name the header (.hea).

Ends with 0 when the server took everything, 1 when it refused something or nothing could be played, 2 when the command
or a file cannot be understood.
`;
